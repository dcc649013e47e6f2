#include "mailbox.hpp"

#include <algorithm>
#include <any>
#include <optional>
#include <string>
#include <vector>

#include "any_catch2.hpp"
#include "process.hpp"
#include "script.hpp"

namespace {

Yielded send(const std::string& name, const std::string& text) {
  return send_message(name, text);
}

}  // namespace

TEST_CASE("who receives waits for a message, who sends does not wait", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "receives", receive_message()), hear(log, "got ")}), "a");
  scheduler.new_task(
      script({say(log, "works"), say(log, "sends", send("a", "hello")), hear(log, "send gave ")}));
  scheduler.run();
  REQUIRE(log == Log{"receives", "works", "sends", "got hello", "send gave nothing"});
}

TEST_CASE("a task with a name has an id like the others", "[step08]") {
  Scheduler scheduler;
  REQUIRE(scheduler.new_task(script({}), "a") == 1);
  REQUIRE(scheduler.new_task(script({}), "b") == 2);
}

TEST_CASE("messages wait in the order they came, also from before the first turn", "[step08]") {
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

TEST_CASE("a message is no answer to another yield", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a"), hear(log, "plain yield gave ", receive_message()),
                             hear(log, "received ")}),
                     "a");
  scheduler.send_message("a", std::string("m"));
  scheduler.run();
  REQUIRE(log == Log{"a", "plain yield gave nothing", "received m"});
}

TEST_CASE("messages to nobody, to the finished and to the killed are dropped", "[step08]") {
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

TEST_CASE("the messages of a killed task are destroyed with it", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "receives", receive_message()), say(log, "never")}), "a");
  scheduler.run();
  scheduler.send_message("a", at_destruction(log, "delivered one destroyed"));
  scheduler.send_message("a", at_destruction(log, "waiting one destroyed"));
  scheduler.kill_task(1);
  REQUIRE(log == Log{"receives", "delivered one destroyed", "waiting one destroyed"});
}

TEST_CASE("a name given again: later messages go to the new task", "[step08]") {
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

TEST_CASE("the end of the old task does not take the name from the new one", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({}), "a");
  scheduler.new_task(script({say(log, "new", receive_message()), hear(log, "got ")}), "a");
  scheduler.new_task(script({say(log, "sends", send("a", "m"))}));
  scheduler.run();
  REQUIRE(log == Log{"new", "sends", "got m"});
}

TEST_CASE("exec_task keeps name and messages", "[step08]") {
  Log log;
  Scheduler scheduler;
  const Yielded other = exec_task(script({say(log, "new", receive_message()), hear(log, "got ")}));
  scheduler.new_task(script({say(log, "old", other)}), "a");
  scheduler.send_message("a", std::string("m"));
  scheduler.run();
  REQUIRE(log == Log{"old", "new", "got m"});
}

TEST_CASE("ten thousand messages, never more than one on its way", "[step08]") {
  int undelivered = 1, most = 1;
  const auto printer = [&](const Value& sent) -> std::optional<Yielded> {
    if (sent.has_value()) --undelivered;
    return receive_message();
  };
  enum class At { start, received, printed } at = At::start;
  int n = 0;
  const auto counter = [&](const Value& sent) -> std::optional<Yielded> {
    switch (at) {
    case At::start:
      at = At::received;
      return receive_message();
    case At::received:
      --undelivered;
      n = std::any_cast<int>(sent);
      if (n == 0) return std::nullopt;
      at = At::printed;
      most = std::max(most, ++undelivered);
      return send_message("printer", n);
    case At::printed:
      at = At::start;
      most = std::max(most, ++undelivered);
      return send_message("counter", n - 1);
    }
    return std::nullopt;
  };
  Scheduler scheduler;
  scheduler.new_task(repeat(printer), "printer");
  scheduler.new_task(repeat(counter), "counter");
  scheduler.send_message("counter", 10000);
  scheduler.run();
  REQUIRE(undelivered == 0);
  REQUIRE(most == 1);
  REQUIRE(scheduler.living_tasks() == std::vector<TaskId>{1});
}
