#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "co_socket.hpp"
#include "command_line.hpp"

/// Starts a task with a `ClientHandler` for every connection. Article: "Stacked coroutines",
/// server(), and "Error handling".
template <typename ClientHandler>
class Server final : public Coroutine {
 public:
  explicit Server(Socket listener) : listener_(std::move(listener)) {}

 private:
  enum class State { start, readable, started_clients, paused };
  State state_ = State::start;
  Socket listener_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      while (true) {
        state_ = State::readable;
        return wait_for_read(listener_);  // yield wait_for_read(listener)
      case State::readable:
        state_ = State::started_clients;
        return start_clients();  // yield start_clients()
      case State::started_clients:
      case State::paused:;
      }
    }
    return std::nullopt;  // never reached
  }

  /// Starts a task for every client that waits to be accepted, all in one turn: each further
  /// turn would cost a poll of all sockets.
  SystemCall start_clients() {
    return [this](TaskId asker, Scheduler& scheduler) {
      while (std::optional<Socket> client = listener_.accept())
        scheduler.new_task(std::make_shared<ClientHandler>(std::move(*client)));
      scheduler.schedule(asker);
    };
  }

  /// Handles every error by a pause. If the process is out of file descriptors, the listener stays
  /// readable, so trying again immediately would keep the CPU busy.
  std::optional<Yielded> resume_with_exception(std::exception_ptr) override {
    state_ = State::paused;
    return sleep_until(Clock::now() + std::chrono::milliseconds(100));
  }
};

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

/// Waits for SIGINT or SIGTERM. Then it stops accepting, and leaves two seconds to the clients that
/// have connected before.
template <typename ClientHandler>
class Shutdown final : public Coroutine {
 public:
  Shutdown(Socket signals, Socket listener, TaskId server)
      : signals_(std::move(signals)), listener_(std::move(listener)), server_(server) {}

 private:
  enum class State { start, got_signal, stopped };
  State state_ = State::start;
  Socket signals_;
  std::optional<Socket> listener_;
  TaskId server_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      state_ = State::got_signal;
      return wait_for_read(signals_);  // yield wait_for_read(signals)
    case State::got_signal:
      state_ = State::stopped;
      return stop();  // yield stop()
    case State::stopped:;
    }
    return std::nullopt;
  }

  SystemCall stop() {
    return [this](TaskId asker, Scheduler& scheduler) {
      scheduler.kill_task(server_);
      scheduler.limit_deadlines(Clock::now() + std::chrono::seconds(2));
      while (std::optional<Socket> client = listener_->accept())  // the rest of the backlog
        scheduler.new_task(std::make_shared<ClientHandler>(std::move(*client)));
      listener_.reset();  // closes it
      scheduler.schedule(asker);
    };
  }
};

/// Runs a server on 127.0.0.1, on the port in the command line or on `default_port`, until the
/// process receives SIGINT or SIGTERM.
template <typename ClientHandler>
void serve(int argc, char** argv, int default_port) {
  open_closed_streams();                       // else the pipe gets their numbers
  const Socket signals = open_stop_signals();  // from here on, none of them is lost
  Socket listener = start_listening(argc, argv, default_port);
  Scheduler scheduler;
  const TaskId server = scheduler.new_task(std::make_shared<Server<ClientHandler>>(listener));
  scheduler.new_task(
      std::make_shared<Shutdown<ClientHandler>>(signals, std::move(listener), server));
  scheduler.run();
}
