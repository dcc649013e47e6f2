#include <csignal>
#include <iostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "../coop/run.hpp"
#include "../coop/uv/listener.hpp"
#include "../coop/uv/signal.hpp"

using namespace coop;
using namespace std::chrono_literals;

/// A server that answers its only client after some time.
Coroutine<> serve(Listener* listener, Clock::duration time, std::string answer) {
  Stream client = co_await listener->accept();
  co_await sleep(time);
  co_await client.write(answer);
}

/// Asks one server.
Coroutine<std::string> ask(int port) {
  Stream server = co_await connect(Address("127.0.0.1", port));
  const std::string answer = co_await server.read();
  co_return answer;
}

/// Asks all servers at the same time, returns the first answer, and cancels the other tasks.
Coroutine<std::string> first_answer(std::vector<int> ports) {
  std::vector<Coroutine<std::string>> questions;
  for (const int port : ports) {
    questions.push_back(ask(port));
  }
  const auto first = co_await any_of(std::move(questions));
  co_return first.second;
}

/// Asks three servers until one of them answers or until Ctrl-C is pressed.
Coroutine<> main_task() {
  Signal interrupt(SIGINT);
  const Address any_port("127.0.0.1", 0);
  Listener slow(any_port), quick(any_port), silent(any_port);
  Scope scope;
  scope.spawn(serve(&slow, 1min, "the slow server"));
  scope.spawn(serve(&quick, 1s, "the quick server"));
  const std::vector<int> ports{slow.port(), quick.port(), silent.port()};
  std::cout << "Asking three servers. Press Ctrl-C to stop." << std::endl;
  const auto first = co_await any_of(first_answer(ports), interrupt);
  if (first.index() == 0) {
    std::cout << "The first answer came from " << std::get<0>(first) << ".\n";
  } else {
    std::cout << "Interrupted.\n";
  }
}

int main() {
  coop::run(main_task());
}
