#pragma once

#include <any>
#include <chrono>
#include <csignal>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "co_socket.hpp"
#include "listen.hpp"
#include "options.hpp"
#include "process.hpp"
#include "stop_requests.hpp"

/// What the tasks of a server share.
struct Server {
  Socket listener;
  StopRequests stop;
  int requests;             ///< answers still to give; negative: without end
  std::set<TaskId> idle{};  ///< the clients that are waiting for a request
  bool ending = false;      ///< whoever has answered shall not wait for another request
};

/// Accepts all connections that are there and makes a task for each, in one turn: a system call may
/// do as much as it likes.
template <typename Client>
[[nodiscard]] SystemCall accept_all(Server& server) {
  return [&server](Task& task, Scheduler& scheduler) {
    Result<Socket> client;
    while (!(client = server.listener.accept()).error) {
      scheduler.new_task(std::make_shared<Client>(server, std::move(client.value)));
    }
    scheduler.schedule(task);
  };
}

/// Accepts connections, for ever. Article: "Stacked coroutines", server().
template <typename Client>
class Acceptor final : public Coroutine {
 public:
  explicit Acceptor(Server& server) : server_(server), listener_(server.listener) {}

 private:
  enum class At { start, accepted, client_started, looped } at_ = At::start;
  Server& server_;
  CoSocket listener_;
  Socket client_;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      while (true) {
        at_ = At::accepted;
        return listener_.accept();  // client = yield listener.accept()
      case At::accepted:
        client_ = std::any_cast<Socket>(std::move(sent));
        at_ = At::client_started;
        return new_task(std::make_shared<Client>(server_, std::move(client_)));
      case At::client_started:
        at_ = At::looped;
        return accept_all<Client>(server_);  // and those that came with it
      case At::looped:;
      }
    }
    return std::nullopt;  // never reached
  }

  /// Without a free descriptor the listener stays readable: pause, or this would spin.
  std::optional<Yielded> resume_with(std::exception_ptr) override {
    at_ = At::looped;
    return wait_for_read(server_.stop.socket(), Clock::now() + std::chrono::milliseconds(50));
  }
};

/// Waits for SIGINT, SIGTERM or the last request; then ends the acceptor and the idle clients. The
/// others end when they have answered.
template <typename Client>
class Stopping final : public Coroutine {
 public:
  Stopping(Server& server, TaskId acceptor) : server_(server), acceptor_(acceptor) {}

 private:
  enum class At { start, requested, alone, taken, looked, killed } at_ = At::start;
  Server& server_;
  TaskId acceptor_;
  int i_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      at_ = At::requested;
      return wait_for_read(server_.stop.socket());  // yield wait_for_read(stop)
    case At::requested:
      at_ = At::alone;
      return kill_task(acceptor_);  // yield kill_task(acceptor)
    case At::alone:
      at_ = At::taken;
      return accept_all<Client>(server_);  // yield accept_all(server): those who have come already
    case At::taken:
      server_.listener.close();
      server_.ending = true;
      // In three rounds the last of them has its id, has waited, and has read what was there.
      for (i_ = 0; i_ < 3; ++i_) {
        at_ = At::looked;
        return Nothing{};  // yield
      case At::looked:;
      }
      while (!server_.idle.empty()) {
        at_ = At::killed;
        return kill_task(server_.idle.extract(server_.idle.begin()).value());
      case At::killed:;
      }
    }
    return std::nullopt;
  }

  /// Who could not be killed has ended already: go on with the next.
  std::optional<Yielded> resume_with(std::exception_ptr error) override {
    if (at_ == At::requested) std::rethrow_exception(error);  // it was the wait: nobody has asked
    return resume(Value());
  }
};

/// The main program of a server: listens, says so, and serves until it is asked to end. Returns the
/// exit status.
template <typename Client>
int serve(const std::string& name, const Options& options) {
  try {
    const Result<Socket> listener = listen_on(options.port);
    if (listener.error) {
      std::cerr << name << ": cannot listen on port " << options.port << ": "
                << listener.error.message() << "; choose another one with --port\n";
      return 1;
    }
    if (const int limit = short_queue()) {
      std::cerr << "note: this system queues only " << limit << " connections; with more at once, "
                << "some wait a second or longer (sysctl net.core.somaxconn)\n";
    }
    std::signal(SIGPIPE, SIG_IGN);  // also for what is printed to a pipe that nobody reads any more
    Server server{listener.value, {}, options.requests};
    const int port = port_of(listener.value);
    std::cout << "Starting server at port " << port << "..." << std::endl;

    Scheduler scheduler;
    const TaskId acceptor = scheduler.new_task(std::make_shared<Acceptor<Client>>(server));
    const TaskId stopping =
        scheduler.new_task(std::make_shared<Stopping<Client>>(server, acceptor));
    // A client ends alone; without one of these two there is no server.
    scheduler.on_uncaught([&](TaskId id, std::exception_ptr error) {
      if (id == acceptor || id == stopping) std::rethrow_exception(error);
      Scheduler::report(id, error);
    });
    scheduler.run();
  } catch (const std::exception& error) {
    std::cerr << name << ": " << error.what() << '\n';
    return 1;
  }
  return 0;
}
