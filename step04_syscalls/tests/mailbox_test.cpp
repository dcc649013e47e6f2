#include "mailbox.hpp"

#include <algorithm>
#include <any_catch2.hpp>
#include <stdexcept>

#include "process.hpp"
#include "script.hpp"

namespace {

Yielded send(const std::string& name, const std::string& text) {
  return send_message(name, text);
}

/// The recipe's printer and counter; `undelivered` is what was sent and not yet received.
class Printer final : public Coroutine {
 public:
  explicit Printer(int& undelivered) : undelivered_(undelivered) {}

 private:
  int& undelivered_;

  std::optional<Yielded> resume(Value sent) override {
    if (sent.has_value()) --undelivered_;
    return receive_message();
  }
};

class Counter final : public Coroutine {
 public:
  Counter(int& undelivered, int& most) : undelivered_(undelivered), most_(most) {}

 private:
  enum class At { start, received, printed, counted } at_ = At::start;
  int& undelivered_;
  int& most_;
  int n_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      while (true) {
        at_ = At::received;
        return receive_message();
      case At::received:
        --undelivered_;
        n_ = std::any_cast<int>(sent);
        if (n_ == 0) break;
        at_ = At::printed;
        most_ = std::max(most_, ++undelivered_);
        return send_message("printer", n_);
      case At::printed:
        at_ = At::counted;
        most_ = std::max(most_, ++undelivered_);
        return send_message("counter", n_ - 1);
      case At::counted:;
      }
    }
    return std::nullopt;
  }
};

}  // namespace

TEST_CASE("who receives waits for a message, who sends does not wait", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "receives", receive_message()), hear(log, "got ")}), "a");
  scheduler.new_task(
      script({say(log, "works"), say(log, "sends", send("a", "hello")), hear(log, "send gave ")}));
  scheduler.run();
  REQUIRE(log == Log{"receives", "works", "sends", "got hello", "send gave nothing"});
}

TEST_CASE("messages wait in the order they came, also from before the first turn", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "starts", receive_message()), hear(log, "got ", receive_message()),
              hear(log, "got ", receive_message()), hear(log, "never ")}),
      "a");
  scheduler.send_message("a", std::string("one"));
  scheduler.send_message("a", std::string("two"));
  scheduler.run();
  REQUIRE(log == Log{"starts", "got one", "got two"});
  REQUIRE(scheduler.living_tasks() == std::vector<TaskId>{1});
}

TEST_CASE("a message is no answer to another yield", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a"), hear(log, "plain yield gave ", receive_message()),
                             hear(log, "received ")}),
                     "a");
  scheduler.send_message("a", std::string("m"));
  scheduler.run();
  REQUIRE(log == Log{"a", "plain yield gave nothing", "received m"});
}

TEST_CASE("messages to nobody, to the finished and to the killed are dropped", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.send_message("nobody", std::string("m"));
  scheduler.send_message("", std::string("m"));
  scheduler.new_task(script({say(log, "a")}), "finished");
  scheduler.new_task(script({say(log, "b", receive_message()), say(log, "never")}), "killed");
  scheduler.new_task(
      script({say(log, "c"), say(log, "c", kill_task(2)), say(log, "c", send("finished", "m")),
              say(log, "c", send("killed", "m")), hear(log, "")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "c", "c", "c", "c", "nothing"});
  REQUIRE(scheduler.living_tasks().empty());
}

TEST_CASE("the messages of a killed task are destroyed with it", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "receives", receive_message()), say(log, "never")}), "a");
  scheduler.run();
  scheduler.send_message("a", at_destruction(log, "delivered one destroyed"));
  scheduler.send_message("a", at_destruction(log, "waiting one destroyed"));
  scheduler.kill_task(1);
  REQUIRE(log == Log{"receives", "delivered one destroyed", "waiting one destroyed"});
}

TEST_CASE("a name given again: later messages go to the new task", "[step04]") {
  Log log;
  Scheduler scheduler;
  const auto receiver = [&](const std::string& who) {
    return script({say(log, who, receive_message()), hear(log, who + " got ")});
  };
  scheduler.new_task(receiver("old"), "a");
  scheduler.send_message("a", std::string("early"));
  scheduler.new_task(receiver("new"), "a");
  scheduler.send_message("a", std::string("late"));
  scheduler.run();
  REQUIRE(log == Log{"old", "new", "old got early", "new got late"});
}

TEST_CASE("the end of the old task does not take the name from the new one", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({}), "a");
  scheduler.new_task(script({say(log, "new", receive_message()), hear(log, "got ")}), "a");
  scheduler.new_task(script({say(log, "sends", send("a", "m"))}));
  scheduler.run();
  REQUIRE(log == Log{"new", "sends", "got m"});
}

TEST_CASE("a copy has no name and none of the messages", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "once", fork_task()),
                             hear(log, "fork gave ", receive_message()), hear(log, "got ")}),
                     "a");
  scheduler.send_message("a", std::string("m"));
  scheduler.run();
  REQUIRE(log == Log{"once", "fork gave nothing", "fork gave 2", "got m"});
  REQUIRE(scheduler.living_tasks() == std::vector<TaskId>{2});
}

TEST_CASE("exec_task keeps name and messages", "[step04]") {
  Log log;
  Scheduler scheduler;
  const Yielded other = exec_task(script({say(log, "new", receive_message()), hear(log, "got ")}));
  scheduler.new_task(script({say(log, "old", other)}), "a");
  scheduler.send_message("a", std::string("m"));
  scheduler.run();
  REQUIRE(log == Log{"old", "new", "got m"});
}

TEST_CASE("when a receiver throws, the other messages survive", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "a", receive_message()),
              [](Value) -> std::optional<Yielded> { throw std::runtime_error("from a"); }}),
      "a");
  scheduler.new_task(script({say(log, "b", receive_message()), hear(log, "b got ")}), "b");
  scheduler.send_message("a", std::string("x"));
  scheduler.send_message("b", std::string("y"));
  REQUIRE_THROWS_WITH(scheduler.run(), "from a");
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "b got y"});
}

TEST_CASE("ten thousand messages, never more than one on its way", "[step04]") {
  int undelivered = 1, most = 1;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Printer>(undelivered), "printer");
  scheduler.new_task(std::make_shared<Counter>(undelivered, most), "counter");
  scheduler.send_message("counter", 10000);
  scheduler.run();
  REQUIRE(undelivered == 0);
  REQUIRE(most == 1);
  REQUIRE(scheduler.living_tasks() == std::vector<TaskId>{1});
}
