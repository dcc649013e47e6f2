#include <sys/socket.h>

#include <any_catch2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client_handler.hpp"

namespace {

/// Runs a ClientHandler and counts its turns. Ends it after 1000 turns.
class Counted final : public Coroutine {
 public:
  Counted(Socket socket, int& turns) : handler_(std::move(socket)), turns_(turns) {}

 private:
  ClientHandler handler_;
  int& turns_;

  std::optional<Yielded> resume(Value sent) override {
    if (++turns_ > 1000) return std::nullopt;
    return turns_ == 1 ? handler_.current() : handler_.send(std::move(sent));
  }
};

/// Sends a request in parts, with 50 turns after each of them, and then reads the response. An
/// empty part is end of file.
class Client final : public Coroutine {
 public:
  Client(std::vector<std::string> parts, Socket socket, std::string& response)
      : parts_(std::move(parts)), socket_(std::move(socket)), response_(response) {}

 private:
  enum class State { start, yielded };
  State state_ = State::start;
  std::vector<std::string> parts_;
  Socket socket_;
  std::string& response_;
  std::size_t turns_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      for (turns_ = 0; turns_ < 50 * parts_.size(); ++turns_) {
        if (turns_ % 50 == 0) send(parts_[turns_ / 50]);
        state_ = State::yielded;
        return Nothing{};  // yield
      case State::yielded:;
      }
      response_ = socket_.read(1000).value_or("no response");
    }
    return std::nullopt;
  }

  void send(const std::string& part) {
    if (part.empty()) {
      ::shutdown(socket_.fd(), SHUT_WR);
    } else {
      socket_.write(part);
    }
  }
};

struct Result {
  std::string response;
  int turns = 0;  // of the handler
};

Result send(std::vector<std::string> parts) {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
  Result result;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Counted>(Socket(ends[0]), result.turns));
  scheduler.new_task(std::make_shared<Client>(std::move(parts), Socket(ends[1]), result.response));
  scheduler.run();
  return result;
}

}  // namespace

TEST_CASE("a request in one part is answered") {
  REQUIRE(send({"GET / HTTP/1.1\r\n\r\n"}).response == "Received 18 bytes.");
}

TEST_CASE("a request in two parts is answered after the second part") {
  const Result result = send({"GET / HTTP/1.1\r\n", "Host: localhost\r\n\r\n"});
  REQUIRE(result.response == "Received 35 bytes.");
}

TEST_CASE("the end of a request is found when every byte arrives alone") {
  std::vector<std::string> bytes;
  for (const char byte : std::string("GET / HTTP/1.1\r\n\r\n")) bytes.emplace_back(1, byte);
  REQUIRE(send(bytes).response == "Received 18 bytes.");
}

TEST_CASE("the handler takes no turns while it waits for the next part") {
  REQUIRE(send({"GET / HTTP/1.1\r\n", "\r\n"}).turns < 10);
}

TEST_CASE("a client that ends its side gets a response to the part that it has sent") {
  const Result result = send({"GET / HTTP/1.1\r\n", ""});
  REQUIRE(result.response == "Received 16 bytes.");
  REQUIRE(result.turns < 10);
}
