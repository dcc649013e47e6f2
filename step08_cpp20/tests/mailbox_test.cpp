#include "mailbox.hpp"

#include <memory>
#include <string>

#include "any_catch2.hpp"
#include "script.hpp"

namespace {

Coroutine<> receive(Log* log, Mailboxes<std::string>* mailboxes, std::string name, int count) {
  log->push_back(name + " receives");
  for (int i = 0; i < count; ++i) {
    const std::string message = co_await receive_message(mailboxes, "a");
    log->push_back(name + " received " + message);
  }
}

Coroutine<> send(Log* log, Mailboxes<std::string>* mailboxes, int turns, std::string text) {
  for (int i = 0; i < turns; ++i) {
    co_yield nothing;
  }
  log->push_back("sends " + text);
  co_await send_message(mailboxes, "a", text);
  log->push_back("sender continues");
}

}  // namespace

TEST_CASE("a receiver waits for a message and a sender does not wait", "[step08]") {
  Log log;
  Mailboxes<std::string> mailboxes;
  Scheduler scheduler;
  scheduler.new_task(receive(&log, &mailboxes, "1", 1));
  scheduler.new_task(send(&log, &mailboxes, 1, "hello"));
  scheduler.run();
  REQUIRE(log == Log{"1 receives", "sends hello", "1 received hello", "sender continues"});
}

TEST_CASE("messages are received in the order in which they were sent", "[step08]") {
  Log log;
  Mailboxes<std::string> mailboxes;
  mailboxes["a"].messages = {"one", "two"};
  run(receive(&log, &mailboxes, "1", 3));
  REQUIRE(log == Log{"1 receives", "1 received one", "1 received two"});
}

TEST_CASE("a message stays in its mailbox until a task receives it", "[step08]") {
  Log log;
  Mailboxes<std::string> mailboxes;
  Scheduler scheduler;
  scheduler.new_task(send(&log, &mailboxes, 0, "early"));
  scheduler.run();
  scheduler.new_task(receive(&log, &mailboxes, "2", 1));
  scheduler.run();
  REQUIRE(log == Log{"sends early", "sender continues", "2 receives", "2 received early"});
}

TEST_CASE("a message stays in its mailbox when its receiver has been killed", "[step08]") {
  Log log;
  Mailboxes<std::string> mailboxes;
  Scheduler scheduler;
  scheduler.new_task(receive(&log, &mailboxes, "1", 1));
  scheduler.run();
  scheduler.kill_task(1);
  scheduler.new_task(send(&log, &mailboxes, 0, "message"));
  scheduler.new_task(receive(&log, &mailboxes, "3", 1));
  scheduler.run();
  REQUIRE(log == Log{"1 receives", "sends message", "3 receives", "3 received message",
                     "sender continues"});
}

TEST_CASE("a message stays in its mailbox when its receiver is killed before its turn",
          "[step08]") {
  Log log;
  Mailboxes<std::string> mailboxes;
  Scheduler scheduler;
  scheduler.new_task(receive(&log, &mailboxes, "1", 1));
  scheduler.new_task(send(&log, &mailboxes, 0, "message"));
  scheduler.new_task(kill(&log, 0, 1));
  scheduler.run();
  scheduler.new_task(receive(&log, &mailboxes, "4", 1));
  scheduler.run();
  REQUIRE(log.back() == "4 received message");
}

TEST_CASE("a message can have any type that can be copied", "[step08]") {
  Mailboxes<std::shared_ptr<int>> mailboxes;
  const auto sent = std::make_shared<int>(7);
  mailboxes["a"].messages = {sent};
  run([](Mailboxes<std::shared_ptr<int>>* boxes, const int* address) -> Coroutine<> {
    std::shared_ptr<int> message = co_await receive_message(boxes, "a");
    REQUIRE(message.get() == address);
  }(&mailboxes, sent.get()));
  REQUIRE(sent.use_count() == 1);
}
