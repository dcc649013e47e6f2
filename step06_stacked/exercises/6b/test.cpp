#include <algorithm>
#include <any>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "any_catch2.hpp"
#include "task.hpp"

namespace {

using Log = std::vector<std::string>;

/// A coroutine whose body is a function. It is called at every resume, with the number of the
/// resume and the value that the last yield returns.
class Body final : public Coroutine {
 public:
  using Function = std::function<std::optional<Yielded>(int, Value)>;
  explicit Body(Function function) : function_(std::move(function)) {}

 private:
  Function function_;
  int resumes_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    return function_(++resumes_, std::move(sent));
  }
};

std::shared_ptr<Coroutine> body(Body::Function function) {
  return std::make_shared<Body>(std::move(function));
}

/// Calls itself until `depth` is 0. Stores in `growth` how far the call stack has grown, from
/// the first resume of the outermost coroutine to any other resume.
std::shared_ptr<Coroutine> nested(int depth, std::uintptr_t outermost, std::uintptr_t& growth) {
  return body([=, &growth](int resumes, Value) -> std::optional<Yielded> {
    const auto address = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    const std::uintptr_t first = outermost ? outermost : address;
    growth = std::max(growth, first > address ? first - address : 0);
    if (depth == 0 || resumes > 1) return std::nullopt;
    return Call{nested(depth - 1, first, growth)};
  });
}

}  // namespace

TEST_CASE("a callee runs in the turn of the call, up to its first yield") {
  Log log;
  const auto callee = body([&](int resumes, Value) -> std::optional<Yielded> {
    log.push_back("callee " + std::to_string(resumes));
    return Nothing{};
  });
  Task task(body([&](int, Value) -> std::optional<Yielded> { return Call{callee}; }));
  const std::optional<Yielded> yielded = task.run();
  REQUIRE(log == Log{"callee 1"});
  REQUIRE(yielded);
  REQUIRE(std::holds_alternative<Nothing>(*yielded));
}

TEST_CASE("a caller continues in the turn in which its callee returns a value") {
  Task task(body([](int resumes, Value) -> std::optional<Yielded> {
    if (resumes == 2) return SystemCall([](TaskId, Scheduler&) {});
    return Call{body([](int, Value) { return ReturnValue{std::string("value")}; })};
  }));
  const std::optional<Yielded> yielded = task.run();
  REQUIRE(yielded);
  REQUIRE(std::holds_alternative<SystemCall>(*yielded));
}

TEST_CASE("the call returns the value that the callee returns") {
  std::string result;
  Task task(body([&](int resumes, Value sent) -> std::optional<Yielded> {
    if (resumes == 1)
      return Call{body([](int, Value) { return ReturnValue{std::string("value")}; })};
    REQUIRE(sent.has_value());
    result = std::any_cast<std::string>(sent);
    return std::nullopt;
  }));
  REQUIRE_FALSE(task.run());
  REQUIRE(result == "value");
}

TEST_CASE("the call returns an empty value when the callee returns nothing") {
  bool continued = false;
  Task task(body([&](int resumes, Value sent) -> std::optional<Yielded> {
    if (resumes == 1) return Call{body([](int, Value) { return std::nullopt; })};
    REQUIRE_FALSE(sent.has_value());
    continued = true;
    return std::nullopt;
  }));
  REQUIRE_FALSE(task.run());
  REQUIRE(continued);
}

TEST_CASE("the answer of a system call reaches the innermost coroutine") {
  std::string result;
  Task task(body([&](int resumes, Value) -> std::optional<Yielded> {
    if (resumes > 1) return std::nullopt;
    return Call{body([&](int callee_resumes, Value sent) -> std::optional<Yielded> {
      if (callee_resumes == 1) return Nothing{};
      result = std::any_cast<std::string>(sent);
      return std::nullopt;
    })};
  }));
  task.run();
  task.answer = std::string("answer");
  REQUIRE_FALSE(task.run());
  REQUIRE(result == "answer");
}

TEST_CASE("a nested call needs no more of the call stack than its caller") {
  std::uintptr_t growth = 0;
  Task task(nested(1000, 0, growth));
  REQUIRE_FALSE(task.run());
  INFO("a thousand nested calls need " << growth << " bytes");
  REQUIRE(growth < 1000);
}

TEST_CASE("a callee is destroyed before its caller continues") {
  auto held = std::make_shared<int>();
  const std::weak_ptr<int> watched = held;
  auto callee = body([held](int, Value) { return ReturnValue{}; });
  held.reset();  // now only the callee holds the number
  bool destroyed = false;
  Task task(body([&](int resumes, Value) -> std::optional<Yielded> {
    if (resumes == 1) return Call{std::move(callee)};
    destroyed = watched.expired();
    return std::nullopt;
  }));
  REQUIRE_FALSE(task.run());
  REQUIRE(destroyed);
}
