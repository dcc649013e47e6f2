#pragma once

#include <sys/signalfd.h>

#include <chrono>
#include <csignal>
#include <exception>
#include <optional>
#include <utility>

#include "co_socket.hpp"
#include "command_line.hpp"

/// A function that returns a coroutine, which serves one connection.
using ClientHandler = Coroutine<> (*)(Socket);

/// Starts a task with `handler` for every client that waits to be accepted, all in one turn: each
/// further turn would cost a poll of all sockets.
inline SystemCall<> start_clients(const Socket& listener, ClientHandler handler) {
  return [&listener, handler](TaskId asker, Scheduler& scheduler) {
    while (std::optional<Socket> client = listener.accept())
      scheduler.new_task(handler(std::move(*client)));
    scheduler.schedule(asker);
  };
}

/// Starts a task with `handler` for every connection. Handles every error by a pause. If the
/// process is out of file descriptors, the listener stays readable, so trying again immediately
/// would keep the CPU busy.
///
/// Article: "Stacked coroutines", server(), and "Error handling".
inline Coroutine<> server(Socket listener, ClientHandler handler) {
  while (true) {
    bool failed = false;
    try {
      co_await wait_for_read(listener);
      co_await start_clients(listener, handler);
    } catch (const std::exception&) {
      failed = true;  // a catch block can't contain a co_await
    }
    if (failed) {
      co_await sleep_until(Clock::now() + std::chrono::milliseconds(100));
    }
  }
}

/// Returns a descriptor that becomes readable when the process receives SIGINT or SIGTERM. These
/// signals no longer end the process.
inline Socket open_stop_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGINT);
  ::sigaddset(&signals, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  return Socket(::signalfd(-1, &signals, SFD_NONBLOCK));
}

/// Stops accepting, and leaves two seconds to the clients that have connected before. The listener
/// is closed in the same call that empties the backlog, so `listener` must be the only copy that is
/// left when the server is killed.
inline SystemCall<> stop(TaskId server, Socket listener, ClientHandler handler) {
  return [server, listener = std::move(listener), handler](TaskId asker, Scheduler& scheduler) {
    scheduler.kill_task(server);
    scheduler.limit_deadlines(Clock::now() + std::chrono::seconds(2));
    while (std::optional<Socket> client = listener.accept())  // the rest of the backlog
      scheduler.new_task(handler(std::move(*client)));
    scheduler.schedule(asker);
  };
}

/// Waits for SIGINT or SIGTERM, and stops the server.
inline Coroutine<> shutdown(Socket signals, TaskId server, Socket listener, ClientHandler handler) {
  co_await wait_for_read(signals);
  co_await stop(server, std::move(listener), handler);
}

/// Runs a server on 127.0.0.1, on the port in the command line or on `default_port`, until the
/// process receives SIGINT or SIGTERM.
inline void serve(int argc, char** argv, int default_port, ClientHandler handler) {
  const Socket signals = open_stop_signals();  // from here on, none of them is lost
  Socket listener = start_listening(argc, argv, default_port);
  Scheduler scheduler;
  const TaskId id = scheduler.new_task(server(listener, handler));
  scheduler.new_task(shutdown(signals, id, std::move(listener), handler));
  scheduler.run();
}
