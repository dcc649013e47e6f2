// Mistake: a system call that is made and not yielded.
// Build: -std=c++17
// g++ says: warning: ignoring return value of 'SystemCall kill_task(TaskId)'
// clang++ says: warning: ignoring return value of function declared with 'nodiscard' attribute
#include "../../step04_syscalls/process.hpp"

class Killer final : public Coroutine {
  std::optional<Yielded> resume(Value) override {
    kill_task(2);  // makes a request, and throws it away
    return std::nullopt;
  }
};
