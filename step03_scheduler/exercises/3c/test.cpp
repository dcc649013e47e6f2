#include <any_catch2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "task.hpp"

namespace {

/// Writes down each value that it is sent, or "nothing".
class Listening final : public Coroutine {
 public:
  explicit Listening(std::vector<std::string>& heard) : heard_(heard) {}

 private:
  std::vector<std::string>& heard_;

  std::optional<Yielded> resume(Value sent) override {
    heard_.push_back(sent.has_value() ? std::any_cast<std::string>(sent) : "nothing");
    return Nothing{};
  }
};

using Heard = std::vector<std::string>;

}  // namespace

TEST_CASE("the first turn runs to the first yield and no further") {
  Heard heard;
  Task task(1, std::make_shared<Listening>(heard));
  task.run();
  REQUIRE(heard == Heard{"nothing"});
}

TEST_CASE("each later turn is one resume") {
  Heard heard;
  Task task(1, std::make_shared<Listening>(heard));
  task.run();
  task.run();
  task.run();
  REQUIRE(heard == Heard{"nothing", "nothing", "nothing"});
}

TEST_CASE("the value that was set is sent in the next turn") {
  Heard heard;
  Task task(1, std::make_shared<Listening>(heard));
  task.run();
  task.set_send_value(std::string("hello"));
  task.run();
  REQUIRE(heard == Heard{"nothing", "hello"});
}

TEST_CASE("a value is sent once, and nothing in the turn after that") {
  Heard heard;
  Task task(1, std::make_shared<Listening>(heard));
  task.run();
  task.set_send_value(std::string("hello"));
  task.run();
  task.run();
  REQUIRE(heard == Heard{"nothing", "hello", "nothing"});
}

TEST_CASE("a value that was set before the first turn waits for the second") {
  Heard heard;
  Task task(1, std::make_shared<Listening>(heard));
  task.set_send_value(std::string("early"));
  task.run();
  task.run();
  REQUIRE(heard == Heard{"nothing", "early"});
}
