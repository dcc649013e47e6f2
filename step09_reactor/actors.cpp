#include <iostream>

#include "coop/timer_reactor.hpp"
#include "coop/wait.hpp"

using namespace coop;

/// What an actor has not received yet.
class Mailbox {
 public:
  void send(int message) {
    messages_.push_back(message);
    arrived_.set();
  }

  bool empty() const { return messages_.empty(); }
  Event& arrived() { return arrived_; }

  int take() {
    const int message = messages_.pop_front();
    if (messages_.empty()) arrived_.reset();
    return message;
  }

 private:
  RingBuffer<int> messages_;
  ManualEvent arrived_{"a message"};
};

/// The next message. The mailbox outlives it.
Coroutine<int> receive(Mailbox* mailbox) {
  while (mailbox->empty()) {
    co_await wait(mailbox->arrived());
  }
  co_return mailbox->take();
}

/// Prints what it receives, for ever. Recipe 12.12, printer().
Coroutine<> printer(Mailbox* mine) {
  while (true) {
    const int message = co_await receive(mine);
    std::cout << "Got: " << message << '\n';
  }
}

/// Receives n, sends it to the printer and n - 1 to itself, until it gets 0. Recipe 12.12,
/// counter().
Coroutine<> counter(Mailbox* mine, Mailbox* to_printer) {
  while (true) {
    const int n = co_await receive(mine);
    if (n == 0) break;
    to_printer->send(n);
    mine->send(n - 1);
    co_await suspend();
  }
}

/// A printer that waited for ever would be a deadlock here: it ends when the counter has.
Coroutine<> program(Mailbox* to_printer, Mailbox* to_counter) {
  const Handle<void> printing = spawn(printer(to_printer));
  const Handle<void> counting = spawn(counter(to_counter, to_printer));
  co_await counting;
  printing->cancel();
}

int main() {
  Mailbox to_printer, to_counter;
  to_counter.send(10000);
  TimerReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.run(program(&to_printer, &to_counter));
}
