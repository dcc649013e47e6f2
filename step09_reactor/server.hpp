#pragma once

#include <sys/socket.h>

#include <chrono>
#include <csignal>
#include <exception>
#include <iostream>
#include <list>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "arguments.hpp"
#include "coop/structured.hpp"
#include "coop/uv/listener.hpp"
#include "coop/uv/signal.hpp"

/// What the tasks of a server share.
struct Server {
  explicit Server(int port) : listener(coop::Address("127.0.0.1", port)) {}

  coop::Listener listener;
  int let_in = 0;                     ///< clients so far
  coop::ManualEvent stop{"the end"};  ///< of the program
  std::list<coop::Task*> idle{};      ///< the clients that are waiting for a request
  bool ending = false;                ///< whoever has answered shall not wait for another request
};

/// The task that runs is idle while this lives: who waits for a request may be sent away.
class Idle {
 public:
  explicit Idle(std::shared_ptr<Server> server) : server_(std::move(server)) {
    server_->idle.push_front(&coop::current_task());
    at_ = server_->idle.begin();
  }
  Idle(const Idle&) = delete;
  Idle& operator=(const Idle&) = delete;
  ~Idle() { server_->idle.erase(at_); }

 private:
  std::shared_ptr<Server> server_;
  std::list<coop::Task*>::iterator at_;
};

/// Reads to the end, or a megabyte.
inline coop::Coroutine<> read_rest(coop::Stream* stream) {
  std::size_t size = 0;
  std::string rest;
  do {
    rest = co_await stream->read();
    size += rest.size();
  } while (!rest.empty() && size < 1'000'000);
}

/// For a client that is still sending: closing a connection that has unread bytes would reset it,
/// and the answer might be lost. A second, or a megabyte, must do.
inline coop::Coroutine<> finish(coop::Stream* stream) {
  co_await stream->end_writing();
  try {
    co_await coop::with_timeout(std::chrono::seconds(1), read_rest(stream));
  } catch (const coop::TimedOut&) {
  }
}

/// What serves one client.
using Client = coop::Coroutine<> (*)(std::shared_ptr<Server>, std::unique_ptr<coop::Stream>);

/// What goes wrong with one client is no affair of the others: that it is gone is no news, and
/// anything else a line on stderr.
inline coop::Coroutine<> guard(coop::Coroutine<> client) {
  try {
    co_await std::move(client);
  } catch (const coop::UvError&) {
  } catch (const std::exception& error) {
    std::cerr << "error with a client: " << error.what() << std::endl;
  }
}

/// Accepts connections until the listener is closed, and makes a task for each.
inline coop::Coroutine<> accept_all(std::shared_ptr<Server> server, Client client) {
  while (true) {
    bool failed = false;
    try {
      std::unique_ptr<coop::Stream> stream = co_await server->listener.accept();
      ++server->let_in;
      coop::spawn(guard(client(server, std::move(stream))));
    } catch (const coop::UvError& error) {
      if (error.code() == UV_ECANCELED) break;
      failed = true;
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    if (failed) {  // no descriptor is free, or no memory
      co_await coop::delay(std::chrono::milliseconds(50));
    }
  }
}

/// Goes on until nobody new has come, and whose request has come is idle no more. From version 1.45
/// on, libuv lets one in at each look.
inline coop::Coroutine<> let_in_who_has_come(std::shared_ptr<Server> server) {
  int before = -1;
  for (int looks = 0; looks < SOMAXCONN && before != server->let_in; ++looks) {
    before = server->let_in;
    co_await coop::delay(coop::Clock::duration::zero());  // whoever is woken meanwhile comes first
  }
}

/// Ends the server when the signal comes; ends with the server.
inline coop::Coroutine<> stop_at(int number, std::shared_ptr<Server> server) {
  coop::Signal signal(number);
  co_await coop::wait_any(signal, server->stop);
  server->stop.set();
}

/// Listens on 127.0.0.1, prints the port, and serves until SIGINT or SIGTERM. Then nobody new is
/// let in, who is being served is served, who is waiting for a request is sent away.
inline coop::Coroutine<> listen_and_serve(int port, Client client) {
  const auto server = std::make_shared<Server>(port);
  const coop::Handle<void> accepting = coop::spawn(accept_all(server, client));
  coop::spawn(stop_at(SIGINT, server));
  coop::spawn(stop_at(SIGTERM, server));
  co_await coop::suspend();  // whoever reads the next line may stop us
  std::cout << "Starting server at port " << server->listener.port() << "..." << std::endl;
  co_await coop::wait_any(server->stop, *accepting);  // which ends before only by an error
  co_await let_in_who_has_come(server);
  server->listener.close();
  co_await accepting;
  server->ending = true;
  for (coop::Task* const task : server->idle) task->cancel("the server ends");
}

/// The main program of a server: serves on the port in the command line or on `default_port`.
/// Returns the exit status.
inline int serve(int argc, char** argv, int default_port, Client client) {
  const int port = port_argument(argc, argv, default_port);
  try {
    coop::UvReactor reactor;
    coop::Scheduler scheduler(reactor);
    scheduler.run(listen_and_serve(port, client));
    return 0;
  } catch (const coop::UvError& error) {
    std::cerr << argv[0] << ": " << error.what();
    if (error.code() == UV_EADDRINUSE || error.code() == UV_EACCES) {
      std::cerr << "; try another port, for example: " << argv[0] << " 0";
    }
    std::cerr << '\n';
  } catch (const std::exception& error) {
    std::cerr << argv[0] << ": " << error.what() << '\n';
  }
  return 1;
}
