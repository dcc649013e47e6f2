#pragma once

#include <poll.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "../coop/run.hpp"
#include "../coop/uv/listener.hpp"
#include "../coop/uv/signal.hpp"

/// Prints a line to stdout, or drops it if stdout is a pipe that is full because nobody reads it: a
/// write that blocks would stop all tasks.
inline void print_line(const std::string& line) {
  pollfd out{STDOUT_FILENO, POLLOUT, 0};
  if (::poll(&out, 1, 0) > 0) std::cout << line << std::endl;
}

/// A coroutine function that serves one client. `ending` happens when the server is asked to end.
/// Then, it closes the connection of a client that waits for another request.
using ClientHandler = std::function<coop::Coroutine<>(coop::Stream client, coop::Event* ending)>;

/// Catches the errors of one client, because a task that fails would end the scope of all clients.
inline coop::Coroutine<> guard(coop::Coroutine<> handler) {
  try {
    co_await std::move(handler);
  } catch (const coop::UvError&) {   // the client is lost
  } catch (const coop::TimedOut&) {  // the client is too slow
  } catch (const std::exception& error) {
    std::cerr << "error with a client: " << error.what() << std::endl;
  }
}

/// Serves every client in a task of the scope, until the listener is closed and its backlog is
/// empty. Handles every error by a pause: if the process is out of file descriptors, trying again
/// at once would keep the CPU busy.
inline coop::Coroutine<> accept_all(coop::Listener* listener, coop::Scope* clients,
                                    ClientHandler handler, coop::Event* ending) {
  while (true) {
    try {
      coop::Stream client = co_await listener->accept();
      clients->spawn(guard(handler(std::move(client), ending)));
      continue;
    } catch (const coop::UvError& error) {
      if (error.code() == UV_ECANCELED) co_return;
    }
    co_await coop::sleep(std::chrono::milliseconds(100));
  }
}

/// Listens on a port of 127.0.0.1, prints the port, and serves clients until SIGINT or SIGTERM.
/// Then, the clients that have connected before have two seconds.
inline coop::Coroutine<> listen_and_serve(int port, ClientHandler handler) {
  coop::Signal interrupt(SIGINT), terminate(SIGTERM);  // from here on, none of them is lost
  coop::Listener listener(coop::Address("127.0.0.1", port));
  coop::ManualEvent ending("the end of the server");
  coop::Scope clients;
  clients.spawn(accept_all(&listener, &clients, handler, &ending));
  print_line("Starting server at port " + std::to_string(listener.port()) + "...");
  co_await coop::any_of(interrupt, terminate);
  listener.close();
  ending.set();
  try {
    co_await coop::with_timeout(std::chrono::seconds(2), clients.join());
  } catch (const coop::TimedOut&) {
  }
}

/// Returns the port in the command line, or `default_port` if there is none. If the argument isn't
/// a port, ends the program with exit status 2.
inline int port_argument(int argc, char** argv, int default_port) {
  if (argc == 1) return default_port;
  const std::string_view text = argv[1];
  int port = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (argc > 2 || error != std::errc() || end != text.data() + text.size() || port < 0 ||
      port > 65535) {
    std::cerr << "usage: " << argv[0] << " [PORT], a number from 0 to 65535\n";
    std::exit(2);
  }
  return port;
}

/// Runs a server on the port in the command line or on `default_port`. Returns the exit status.
inline int serve(int argc, char** argv, int default_port, ClientHandler handler) {
  const int port = port_argument(argc, argv, default_port);
  try {
    coop::run(listen_and_serve(port, handler));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "; try another port, for example: " << argv[0] << " 0\n";
    return 1;
  }
}
