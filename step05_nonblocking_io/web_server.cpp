#include <algorithm>
#include <any>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "listen.hpp"
#include "options.hpp"
#include "process.hpp"
#include "stop_requests.hpp"
#include "usage.hpp"
#include "wait.hpp"

/// What the tasks of the server share.
struct Server {
  Socket listener;
  StopRequests stop;
  int requests;               ///< answers still to give; negative: without end
  std::set<TaskId> silent{};  ///< the clients that have not sent anything yet
};

std::string answer_to(const std::string& request) {
  const std::string message = "Received following request:\n\n" + request;
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(message.size()) + "\r\nConnection: close\r\n\r\n" + message;
}

/// Serves one client: reads once, answers, closes. Article: "Non-Blocking IO", handleClient().
class Client final : public Coroutine {
 public:
  Client(Server& server, Socket socket) : server_(server), socket_(std::move(socket)) {}

 private:
  enum class At { start, named, readable, writable, drainable } at_ = At::start;
  Server& server_;
  Socket socket_;
  TaskId id_ = 0;
  Result<std::string> request_, rest_;
  Result<std::size_t> written_;
  std::string answer_;
  Clock::time_point deadline_;
  std::size_t drained_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      at_ = At::named;
      return get_task_id();  // id = yield get_task_id()
    case At::named:
      id_ = std::any_cast<TaskId>(sent);
      server_.silent.insert(id_);
      do {
        at_ = At::readable;
        return wait_for_read(socket_);  // yield wait_for_read(socket)
      case At::readable:
        request_ = socket_.read(8192);
      } while (try_again(request_.error));
      server_.silent.erase(id_);
      if (request_.error) return std::nullopt;

      answer_ = answer_to(request_.value);
      while (!answer_.empty()) {
        at_ = At::writable;
        return wait_for_write(socket_, Clock::now() + std::chrono::seconds(10));
      case At::writable:
        written_ = socket_.write(answer_);
        if (written_.error && !try_again(written_.error)) return std::nullopt;
        answer_.erase(0, written_.value);
      }
      if (--server_.requests == 0) StopRequests::request();

      // Closing with input that nobody has read would reset the connection, and the client might
      // lose the answer: so read until it has ended, within a second and a megabyte.
      socket_.shutdown_write();
      deadline_ = Clock::now() + std::chrono::seconds(1);
      do {
        at_ = At::drainable;
        return wait_for_read(socket_, deadline_);  // error = yield wait_for_read(socket, deadline)
      case At::drainable:
        if (std::any_cast<std::error_code>(sent)) return std::nullopt;
        rest_ = socket_.read(65536);
        drained_ += rest_.value.size();
      } while (try_again(rest_.error) || (!rest_.value.empty() && drained_ < 1000000));
    }
    return std::nullopt;  // the last handle goes, and the socket is closed
  }
};

/// Accepts connections, and makes a task for each. Article: "Non-Blocking IO", server().
class Acceptor final : public Coroutine {
 public:
  explicit Acceptor(Server& server) : server_(server) {}

 private:
  enum class At { start, acceptable, client_started, paused } at_ = At::start;
  Server& server_;
  Result<Socket> client_;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      while (true) {
        at_ = At::acceptable;
        return wait_for_read(server_.listener);  // yield wait_for_read(listener)
      case At::acceptable:
        while (true) {
          client_ = server_.listener.accept();
          if (client_.error) break;
          at_ = At::client_started;
          return new_task(std::make_shared<Client>(server_, std::move(client_.value)));
        case At::client_started:;
        }
        if (is_exhausted(client_.error)) {
          // Until a descriptor is free, the listener stays readable: pause, or this would spin.
          at_ = At::paused;
          return wait_for_read(server_.stop.socket(), Clock::now() + std::chrono::milliseconds(50));
        }
        [[fallthrough]];
      case At::paused:;
      }
    }
    return std::nullopt;  // never reached
  }
};

/// Waits for SIGINT, SIGTERM or the last request; then ends the others, those first that wait for
/// what may never come.
class Stopping final : public Coroutine {
 public:
  Stopping(Server& server, TaskId acceptor) : server_(server), acceptor_(acceptor) {}

 private:
  enum class At { start, requested, closed, looked, killed } at_ = At::start;
  Server& server_;
  TaskId acceptor_;
  int i_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      at_ = At::requested;
      return wait_for_read(server_.stop.socket());  // yield wait_for_read(stop)
    case At::requested:
      at_ = At::closed;
      return kill_task(acceptor_);  // yield kill_task(acceptor)
    case At::closed:
      server_.listener.close();
      // In two rounds each client whose request is there already has read it.
      for (i_ = 0; i_ < 2; ++i_) {
        at_ = At::looked;
        return Nothing{};  // yield
      case At::looked:;
      }
      while (!server_.silent.empty()) {
        at_ = At::killed;
        return kill_task(*server_.silent.begin());  // yield kill_task(silent)
      case At::killed:
        server_.silent.erase(server_.silent.begin());
      }
    }
    return std::nullopt;
  }
};

int main(int, char** argv) {
  Options options{8000};
  if (!read_options(argv, options))
    return usage(argv, "web_server [--port 0..65535] [--requests N]   (answers with the request)");

  const Result<Socket> listener = listen_on(options.port);
  if (listener.error) {
    std::cerr << "web_server: cannot listen on port " << options.port << ": "
              << listener.error.message() << "; choose another one with --port\n";
    return 1;
  }
  if (const int limit = short_queue())
    std::cerr << "note: this system queues only " << limit << " connections; with more at once, "
              << "some wait a second or longer (sysctl net.core.somaxconn)\n";
  Server server{listener.value, {}, options.requests};
  std::cout << "Starting server at port " << port_of(listener.value) << "..." << std::endl;

  Scheduler scheduler;
  const TaskId acceptor = scheduler.new_task(std::make_shared<Acceptor>(server));
  scheduler.new_task(std::make_shared<Stopping>(server, acceptor));
  scheduler.run();
}
