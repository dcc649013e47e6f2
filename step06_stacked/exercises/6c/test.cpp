#include <any>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <variant>

#include "any_catch2.hpp"
#include "collatz.hpp"

// The tests resume both bodies without a task, so that they see what each of them yields.

namespace {

/// Redirects std::cout as long as it exists.
class Output {
 public:
  Output() : previous_(std::cout.rdbuf(text_.rdbuf())) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() { std::cout.rdbuf(previous_); }

  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::streambuf* previous_;
};

/// Resumes Collatz until it yields a return value. Returns that value, or an empty one if Collatz
/// finishes without it.
Value result_of(Collatz& collatz) {
  for (; collatz.valid(); collatz.next()) {
    if (auto* const result = std::get_if<ReturnValue>(&*collatz.current())) return result->value;
  }
  return {};
}

}  // namespace

TEST_CASE("Collatz returns the number of lines that it has printed, as an int") {
  const Output output;
  Collatz collatz(3);  // 3 10 5 16 8 4 2 1
  const Value result = result_of(collatz);
  REQUIRE(result.has_value());
  REQUIRE(result.type() == typeid(int));
  REQUIRE(std::any_cast<int>(result) == 8);
}

TEST_CASE("Collatz prints only its numbers") {
  const Output output;
  Collatz collatz(4);
  result_of(collatz);
  REQUIRE(output.text() == "4\n2\n1\n");
}

TEST_CASE("Collatz returns 1 when it starts with 1") {
  const Output output;
  Collatz collatz(1);
  const Value result = result_of(collatz);
  REQUIRE(result.has_value());
  REQUIRE(std::any_cast<int>(result) == 1);
}

TEST_CASE("Collatz prints one number per turn") {
  const Output output;
  Collatz collatz(4);
  collatz.rewind();
  REQUIRE(output.text() == "4\n");
}

TEST_CASE("the task prints the values that its calls return") {
  const Output output;
  CallingTask task(1, 1);
  REQUIRE(std::holds_alternative<Call>(task.current().value()));
  REQUIRE(std::holds_alternative<Call>(task.send(70).value()));
  REQUIRE_FALSE(task.send(80).has_value());
  REQUIRE(output.text() == "70 lines\n---\n80 lines\n");
}
