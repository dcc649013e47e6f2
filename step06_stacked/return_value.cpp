#include <any>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "process.hpp"
#include "usage.hpp"

/// Returns the sum of two numbers, after a turn.
class Add final : public Coroutine {
 public:
  Add(std::string name, TaskId a, TaskId b) : name_(std::move(name)), a_(a), b_(b) {}

 private:
  enum class At { start, yielded, never } at_ = At::start;
  std::string name_;
  TaskId a_, b_;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      std::cout << name_ << " in add(" << a_ << ", " << b_ << "), about to yield\n";
      at_ = At::yielded;
      return Nothing{};  // yield
    case At::yielded:
      std::cout << name_ << " add resumed\n";
      at_ = At::never;
      return ReturnValue{a_ + b_};  // yield retval(a + b)
    case At::never:
      std::cout << name_ << " this is never printed\n";
    }
    return std::nullopt;
  }
};

/// Takes a turn and ends without a value.
class NoReturn final : public Coroutine {
 public:
  explicit NoReturn(std::string name) : name_(std::move(name)) {}

 private:
  enum class At { start, yielded } at_ = At::start;
  std::string name_;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      at_ = At::yielded;
      return Nothing{};  // yield
    case At::yielded:
      std::cout << name_ << " noReturn finishing\n";
    }
    return std::nullopt;
  }
};

/// Ends without a yield.
class NeverYields final : public Coroutine {
 public:
  explicit NeverYields(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;

  std::optional<Yielded> resume(Value) override {
    std::cout << name_ << " neverYields body\n";
    return std::nullopt;
  }
};

/// Calls all three and prints what each gives.
class Caller final : public Coroutine {
 public:
  explicit Caller(std::string name) : name_(std::move(name)) {}

 private:
  enum class At { start, named, added, no_return, never_yields } at_ = At::start;
  std::string name_;
  TaskId id_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      at_ = At::named;
      return get_task_id();  // id = yield get_task_id()
    case At::named:
      id_ = std::any_cast<TaskId>(sent);
      at_ = At::added;
      return Call{std::make_shared<Add>(name_, id_, 10)};  // result = yield Add(id, 10)
    case At::added:
      print(sent);
      at_ = At::no_return;
      return Call{std::make_shared<NoReturn>(name_)};  // result = yield NoReturn()
    case At::no_return:
      print(sent);
      at_ = At::never_yields;
      return Call{std::make_shared<NeverYields>(name_)};  // result = yield NeverYields()
    case At::never_yields:
      print(sent);
    }
    return std::nullopt;
  }

  void print(const Value& result) const {
    std::cout << name_ << " task " << id_ << " got ";
    if (result.has_value()) {
      std::cout << "int(" << std::any_cast<TaskId>(result) << ")\n";
    } else {
      std::cout << "NULL\n";
    }
  }
};

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "return_value   (what a called coroutine gives back)");

  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Caller>("[A]"));
  scheduler.new_task(std::make_shared<Caller>("[B]"));
  scheduler.run();
}
