// What a program cannot call, because a wrong call would break the library. Each expression is in a
// template, where one that does not compile is only false.

#include <utility>

#include "any_catch2.hpp"
#include "coop/coop.hpp"

using namespace coop;

namespace {

template <typename T>
void call_task() {
  CHECK(requires(T task) { task.cancel("a program may call this"); });
  CHECK_FALSE(requires(T task, detail::Promise callee) { task.call(callee, nullptr); });
  CHECK_FALSE(requires(T task, EventAwaiter waiting) { task.wait_for(waiting); });
  CHECK_FALSE(requires(T task) { task.yield(); });
  CHECK_FALSE(requires(T task) { task.throw_if_needed(); });
  CHECK_FALSE(requires(T task) { task.throw_what_came(); });
  CHECK_FALSE(requires(T task) { task.share(); });
  CHECK_FALSE(requires(T task) { task.release(); });
  CHECK_FALSE(requires(T task) { task.rethrow_error(); });
}

template <typename T>
void call_handle() {
  CHECK(requires(T handle) { handle->cancel(); });
  CHECK_FALSE(requires(T handle) { handle->release(); });
  CHECK_FALSE(requires(T handle) { handle.take(); });
}

template <typename T>
void call_coroutine() {
  CHECK(requires(T body) { spawn(std::move(body)); });
  CHECK_FALSE(requires(T body) { body.release(); });
}

template <typename T>
void call_awaiter() {
  CHECK(requires(T waiting) { waiting.where(); });
  CHECK_FALSE(requires(T waiting) { waiting.waits(); });
  CHECK_FALSE(requires(T waiting, detail::Wait first) { waiting.set_first(first); });
}

template <typename T>
void call_timer() {
  CHECK(requires(T timer) { timer.deadline(); });
  CHECK_FALSE(requires(T timer) { timer.fire(); });
  CHECK_FALSE(requires(T timer) { timer.order = 0; });
}

template <typename T>
void call_reactor() {
  CHECK(requires(T reactor) { reactor.now(); });
  CHECK_FALSE(requires(T reactor, Timer timer) { reactor.start(timer); });
  CHECK_FALSE(requires(T reactor, Timer timer) { reactor.stop(timer); });
  CHECK_FALSE(requires(T reactor) { reactor.polled(); });
  CHECK_FALSE(requires(T reactor) { reactor.buffer(); });
  CHECK_FALSE(requires(T reactor) { reactor.begin_waiting(); });
  CHECK_FALSE(requires(T reactor) { reactor.end_waiting(); });
}

template <typename T>
void call_scope() {
  CHECK(requires(T scope) { scope.join(); });
  CHECK_FALSE(requires(T scope) { scope.join_as(true, {}); });
  CHECK_FALSE(requires(T scope) { scope.group(); });
}

}  // namespace

TEST_CASE("a program cannot call what is inside of the library", "[step09]") {
  call_task<Task>();
  call_handle<Handle<int>>();
  call_coroutine<Coroutine<int>>();
  call_awaiter<EventAwaiter>();
  call_timer<Timer>();
  call_reactor<UvReactor>();
  call_scope<Scope>();
}
