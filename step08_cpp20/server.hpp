#pragma once

#include <chrono>
#include <csignal>
#include <exception>
#include <iostream>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "co_socket.hpp"
#include "listen.hpp"
#include "process.hpp"
#include "stop_requests.hpp"

/// What the tasks of a server share.
struct Server {
  Socket listener;
  StopRequests stop;
  std::set<TaskId> idle{};  ///< the clients that are waiting for a request
  bool ending = false;      ///< whoever has answered shall not wait for another request
};

/// Serves one connection. The server outlives it.
using Client = Coroutine<> (*)(Server* server, Socket socket);

/// Accepts all connections in the backlog, and starts a task for each.
inline void empty_backlog(Server* server, Client client, Scheduler& scheduler) {
  Result<Socket> accepted;
  while (!(accepted = server->listener.accept()).error) {
    scheduler.new_task(client(server, std::move(accepted.value)));
  }
}

/// Accepts all connections in the backlog, in one turn: a system call may do as much as it likes.
inline SystemCall<> accept_all(Server* server, Client client) {
  return [server, client](Task& task, Scheduler& scheduler) {
    empty_backlog(server, client, scheduler);
    scheduler.schedule(task);
  };
}

/// Accepts all connections in the backlog, and closes the listener in the same turn. Therefore no
/// client can connect in between, and be reset.
inline SystemCall<> accept_last(Server* server, Client client) {
  return [server, client](Task& task, Scheduler& scheduler) {
    empty_backlog(server, client, scheduler);
    server->listener.close();
    scheduler.schedule(task);
  };
}

/// Accepts connections, for ever. Article: "Stacked coroutines", server().
inline Coroutine<> accepting_clients(Server* server, Client client) {
  const CoSocket listener(server->listener);
  while (true) {
    bool failed = false;
    try {
      Socket socket = co_await listener.accept();
      co_await new_task(client(server, std::move(socket)));
      co_await accept_all(server, client);  // and those that came with it
    } catch (...) {
      failed = true;
    }
    if (failed) {  // Without a free descriptor the listener stays readable: pause, or this would
                   // spin.
      const Clock::time_point soon = Clock::now() + std::chrono::milliseconds(50);
      co_await wait_for_read(server->stop.socket(), soon);
    }
  }
}

/// Waits for SIGINT or SIGTERM; then ends the acceptor and the idle clients. The others end when
/// they have answered.
inline Coroutine<> stopping(Server* server, Client client, TaskId acceptor) {
  co_await wait_for_read(server->stop.socket());
  try {
    co_await kill_task(acceptor);
    co_await accept_last(server, client);
  } catch (const std::exception&) {
    // There is no acceptor any more, or no room for another client: end all the same.
    server->listener.close();
  }
  server->ending = true;
  // In three rounds the last of them has its id, has waited, and has read what was there.
  for (int i = 0; i < 3; ++i) {
    co_yield nothing;
  }
  while (!server->idle.empty()) {
    const TaskId id = server->idle.extract(server->idle.begin()).value();
    try {
      co_await kill_task(id);
    } catch (const std::invalid_argument&) {
      // It has ended already: go on with the next.
    }
  }
}

/// The main program of a server: listens on the port in the command line or on `default_port`,
/// prints the port, and serves until it receives SIGINT or SIGTERM. Returns the exit status.
inline int serve(int argc, char** argv, int default_port, Client client) {
  const int wanted = port_argument(argc, argv, default_port);
  try {
    const Result<Socket> listener = listen_on(wanted);
    if (listener.error) {
      std::cerr << "Cannot listen on port " << wanted << ": " << listener.error.message()
                << "; try another port, for example: " << argv[0] << " 0\n";
      return 1;
    }
    if (const int limit = short_queue()) {
      std::cerr << "note: this system queues only " << limit << " connections; with more at once, "
                << "some wait a second or longer (sysctl net.core.somaxconn)\n";
    }
    std::signal(SIGPIPE, SIG_IGN);  // also for what is printed to a pipe that nobody reads any more
    Server server{listener.value, {}};
    const int port = port_of(listener.value);
    std::cout << "Starting server at port " << port << "..." << std::endl;

    Scheduler scheduler;
    const TaskId acceptor = scheduler.new_task(accepting_clients(&server, client));
    const TaskId stopper = scheduler.new_task(stopping(&server, client, acceptor));
    // A client ends alone; without one of these two there is no server.
    scheduler.on_uncaught([&](TaskId id, std::exception_ptr error) {
      if (id == acceptor || id == stopper) std::rethrow_exception(error);
      Scheduler::report(id, error);
    });
    scheduler.run();
  } catch (const std::exception& error) {
    std::cerr << argv[0] << ": " << error.what() << '\n';
    return 1;
  }
  return 0;
}
