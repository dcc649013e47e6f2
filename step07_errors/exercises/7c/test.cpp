#include <sys/socket.h>

#include <any_catch2.hpp>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "wait.hpp"

namespace {

using Log = std::vector<std::string>;

/// Makes one system call, writes down what comes of it, and takes one turn more.
class Asking final : public Coroutine {
 public:
  Asking(SystemCall call, Log& log) : call_(std::move(call)), log_(log) {}

 private:
  enum class At { start, asked, yielded } at_ = At::start;
  SystemCall call_;
  Log& log_;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      at_ = At::asked;
      return call_;  // try { yield call }
    case At::asked:
      log_.emplace_back("answered");
      at_ = At::yielded;
      return Nothing{};  // yield
    case At::yielded:
      log_.emplace_back(sent.has_value() ? "is sent what it did not ask for" : "ends");
    }
    return std::nullopt;
  }

  std::optional<Yielded> resume_with(std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      log_.emplace_back(e.what());
    } catch (...) {
      log_.emplace_back("something");
    }
    at_ = At::yielded;
    return Nothing{};  // yield, behind the try
  }
};

/// What comes of a system call.
Log result_of(SystemCall call) {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Asking>(std::move(call), log));
  REQUIRE_NOTHROW(scheduler.run());
  return log;
}

}  // namespace

TEST_CASE("a call that throws nothing is answered as before") {
  const Log log = result_of([](Task& task, Scheduler& scheduler) { scheduler.schedule(task); });
  REQUIRE(log == Log{"answered", "ends"});
}

TEST_CASE("what a call throws is thrown at the yield, and the task goes on") {
  const Log log = result_of([](Task&, Scheduler&) { throw std::runtime_error("oh"); });
  REQUIRE(log == Log{"oh", "ends"});
}

TEST_CASE("whatever a call throws goes to its task, not only a std::exception") {
  const Log log = result_of([](Task&, Scheduler&) { throw 5; });
  REQUIRE(log == Log{"something", "ends"});
}

TEST_CASE("a call that begins to wait for a socket and then throws leaves no wait behind") {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
  const Socket here(ends[0]);
  const Socket there(ends[1]);
  there.write("something to read");
  const Log log = result_of([here](Task& task, Scheduler& scheduler) {
    wait_for_read(here)(task, scheduler);
    throw std::runtime_error("oh");
  });
  REQUIRE(log == Log{"oh", "ends"});
}
