#include "mailbox.hpp"

#include <string>

#include "any_catch2.hpp"
#include "process.hpp"
#include "script.hpp"

namespace {

Yielded send(Mailboxes& mailboxes, const std::string& name, const std::string& text) {
  return send_message(mailboxes, name, text);
}

}  // namespace

TEST_CASE("a receiver waits for a message and a sender does not wait", "[step04]") {
  Log log;
  Mailboxes boxes;
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "receives", receive_message(boxes, "a")), hear(log, "received ")}));
  scheduler.new_task(script({say(log, "works"), say(log, "sends", send(boxes, "a", "hello")),
                             hear(log, "send returned ")}));
  scheduler.run();
  REQUIRE(log == Log{"receives", "works", "sends", "received hello", "send returned nothing"});
}

TEST_CASE("messages are received in the order in which they were sent", "[step04]") {
  Log log;
  Mailboxes boxes;
  boxes["a"].messages = {std::string("one"), std::string("two")};
  Scheduler scheduler;
  const Yielded receive = receive_message(boxes, "a");
  scheduler.new_task(script({say(log, "starts", receive), hear(log, "received ", receive),
                             hear(log, "received ", receive), say(log, "never")}));
  scheduler.run();
  REQUIRE(log == Log{"starts", "received one", "received two"});
}

TEST_CASE("a message waits in its mailbox until a task receives it", "[step04]") {
  Log log;
  Mailboxes boxes;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "sends", send(boxes, "a", "early")), say(log, "works"),
                             say(log, "starts",
                                 new_task(script({
                                     say(log, "receives", receive_message(boxes, "a")),
                                     hear(log, "received "),
                                 })))}));
  scheduler.run();
  REQUIRE(log == Log{"sends", "works", "starts", "receives", "received early"});
}

TEST_CASE("a plain yield does not return a message", "[step04]") {
  Log log;
  Mailboxes boxes;
  boxes["a"].messages = {std::string("message")};
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "yields"), hear(log, "the yield returned ", receive_message(boxes, "a")),
              hear(log, "received ")}));
  scheduler.run();
  REQUIRE(log == Log{"yields", "the yield returned nothing", "received message"});
}

TEST_CASE("a message stays in its mailbox when its receiver has been killed", "[step04]") {
  Log log;
  Mailboxes boxes;
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "receives", receive_message(boxes, "a")), say(log, "never")}));
  scheduler.new_task(
      script({say(log, "kills", kill_task(1)), say(log, "sends", send(boxes, "a", "message")),
              say(log, "receives", receive_message(boxes, "a")), hear(log, "received ")}));
  scheduler.run();
  REQUIRE(log == Log{"receives", "kills", "sends", "receives", "received message"});
}
