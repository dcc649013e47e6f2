#include <exception>
#include <iostream>
#include <memory>
#include <optional>

#include "process.hpp"
#include "usage.hpp"

/// Tries to kill a task that never was. Article: "Error handling", task().
class Killer final : public Coroutine {
  enum class At { start, in_try } at_ = At::start;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      at_ = At::in_try;
      return kill_task(500);  // try { yield kill_task(500) }
    case At::in_try:;
    }
    return std::nullopt;
  }

  std::optional<Yielded> resume_with(std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      std::cout << "Tried to kill task 500 but failed: " << e.what() << '\n';
    }
    return resume(Value());  // and go on behind the try
  }
};

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "kill_missing_task   (a system call throws into its task)");

  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Killer>());
  scheduler.run();
}
