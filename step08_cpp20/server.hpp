#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
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

/// The end of a pipe into which on_stop_signal() writes.
inline int stop_pipe = -1;

/// Handles a signal by one byte in the pipe. If the pipe is full, it is readable anyway.
inline void on_stop_signal(int) {
  const int error = errno;  // of the code that the signal interrupts
  if (::write(stop_pipe, "", 1) < 0) errno = error;
}

/// Returns a pipe that becomes readable when the process receives SIGINT or SIGTERM. These signals
/// no longer end the process. Exits with status 1 if there can't be a pipe.
inline Socket open_stop_signals() {
  int ends[2];
  if (::pipe(ends) < 0) {
    std::perror("Cannot open a pipe");
    std::exit(1);
  }
  stop_pipe = ends[1];
  ::fcntl(stop_pipe, F_SETFL, O_NONBLOCK);
  std::signal(SIGINT, on_stop_signal);
  std::signal(SIGTERM, on_stop_signal);
  return Socket(ends[0]);
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
  open_closed_streams();                       // else the pipe gets their numbers
  const Socket signals = open_stop_signals();  // from here on, none of them is lost
  Socket listener = start_listening(argc, argv, default_port);
  Scheduler scheduler;
  const TaskId id = scheduler.new_task(server(listener, handler));
  scheduler.new_task(shutdown(signals, id, std::move(listener), handler));
  scheduler.run();
}
