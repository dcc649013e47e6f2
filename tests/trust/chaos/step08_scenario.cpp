#include <string>

#include "any_catch2.hpp"
#include "mailbox.hpp"
#include "process.hpp"

// The result of these tasks doesn't depend on the order of turns.

namespace {

/// Adds up a tree, with a task for each node.
Coroutine<> add_up(int depth, int* sum) {
  if (depth == 0) {
    *sum = 1;
    co_return;
  }
  int left = 0, right = 0;
  const TaskId first = co_await new_task(add_up(depth - 1, &left));
  co_yield nothing;
  const TaskId second = co_await new_task(add_up(depth - 1, &right));
  co_await wait_task(second);
  co_await wait_task(first);
  *sum = left + right;
}

Coroutine<> count_to(int last) {
  for (int i = 1; i <= last; ++i) {
    co_await send_message("reader", i);
    co_yield nothing;
  }
}

Coroutine<> read(int last, std::string* got) {
  for (int i = 1; i <= last; ++i) {
    const int number = co_await receive_message<int>();
    *got += std::to_string(number) + " ";
  }
}

Coroutine<> receive_for_ever() {
  co_await receive_message();
}

/// Waits until the other task has finished or has been killed.
Coroutine<> outlive(TaskId other, int* ended) {
  co_await wait_task(other);
  ++*ended;
}

Coroutine<> kill(TaskId other) {
  co_yield nothing;
  co_await kill_task(other);
}

Coroutine<> end_as_another(int* sum) {
  co_yield nothing;
  co_await exec_task(add_up(3, sum));
}

}  // namespace

TEST_CASE("a bit of everything is complete in every order", "[step08]") {
  Scheduler scheduler;
  int sum = 0, other_sum = 0, ended = 0;
  std::string got;
  scheduler.new_task(add_up(5, &sum));
  scheduler.new_task(read(5, &got), "reader");
  scheduler.new_task(count_to(5));
  const TaskId victim = scheduler.new_task(receive_for_ever());
  const TaskId another = scheduler.new_task(end_as_another(&other_sum));
  for (const TaskId id : {victim, another, victim}) scheduler.new_task(outlive(id, &ended));
  scheduler.new_task(kill(victim));
  scheduler.run();
  REQUIRE(scheduler.living_tasks().empty());
  REQUIRE(sum == 32);
  REQUIRE(other_sum == 8);
  REQUIRE(ended == 3);
  REQUIRE(got == "1 2 3 4 5 ");
}
