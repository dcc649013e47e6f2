#include <array>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "coop/structured.hpp"
#include "local_servers.hpp"

using namespace coop;
using namespace std::chrono_literals;

/// Who shall be asked, and how long that may take.
struct Target {
  Target(std::string h, int p, Clock::duration t) : host(std::move(h)), port(p), time(t) {}

  std::string host;
  int port;
  Clock::duration time;
};

/// Asks for a page, and counts what comes.
Coroutine<std::size_t> fetch(Target target) {
  std::vector<Address> addresses = co_await resolve(target.host, std::to_string(target.port));
  const std::unique_ptr<Stream> server = co_await connect(std::move(addresses));
  co_await server->write("GET / HTTP/1.0\r\nHost: " + target.host + "\r\n\r\n");
  std::size_t size = 0;
  std::string piece;
  do {
    piece = co_await server->read();
    size += piece.size();
  } while (!piece.empty());
  co_return size;
}

/// Asks all of them at once. Says what came, or what went wrong, in the order of the list.
Coroutine<> fetch_all(std::vector<Target> targets, int* failures) {
  std::vector<Handle<std::size_t>> answers;
  for (const Target& target : targets) {
    answers.push_back(spawn(with_timeout(target.time, fetch(target))));
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    std::cout << targets[i].host << ':' << targets[i].port << ": ";
    try {
      const std::size_t size = co_await answers[i];
      std::cout << size << " bytes\n";
    } catch (const std::exception& e) {
      std::cout << e.what() << '\n';
      ++*failures;
    }
  }
}

/// Without arguments: servers of our own, of all kinds.
Coroutine<> show(int* failures) {
  const Address any("127.0.0.1", 0);
  Listener quick(any), slow(any), silent(any);
  const DeafPort deaf;
  const std::array servers{spawn(answer(&quick, 1)), spawn(answer(&slow, 20)),
                           spawn(keep_silent(&silent))};
  std::vector<Target> targets;
  targets.emplace_back("localhost", quick.port(), 1min);
  targets.emplace_back("localhost", slow.port(), 1min);
  targets.emplace_back("127.0.0.1", silent.port(), 100ms);
  targets.emplace_back("127.0.0.1", deaf.port(), 1min);
  targets.emplace_back("no such host", 80, 1min);
  co_await fetch_all(std::move(targets), failures);

  for (const Handle<void>& server : servers) server->cancel();  // whom nobody has asked
  std::cout << *failures << " of 5 have failed, as they should.\n";
  *failures = 0;
}

/// Reads `[--timeout MILLISECONDS] [HOST:PORT]...`. Returns false at anything else.
bool read_targets(char** argv, std::vector<Target>& targets) {
  int timeout = 10000;
  char** word = argv + 1;
  if (*word && std::string(*word) == "--timeout") {
    if (!word[1] || !read_number(word[1], 1, 1000000, timeout)) return false;
    word += 2;
  }
  for (; *word; ++word) {
    const std::string text = *word;
    const std::size_t colon = text.rfind(':');
    int port = 0;
    if (text[0] == '-' || colon == 0 || colon == std::string::npos) return false;
    if (!read_number(*word + colon + 1, 1, 65535, port)) return false;
    targets.emplace_back(text.substr(0, colon), port, timeout * 1ms);
  }
  return true;
}

int main(int, char** argv) {
  std::vector<Target> targets;
  if (!read_targets(argv, targets)) {
    std::cerr << "usage: fetch_all [--timeout MILLISECONDS] [HOST:PORT]...\n";
    return 2;
  }
  int failures = 0;
  UvReactor reactor;
  Scheduler scheduler(reactor);
  if (targets.empty()) {
    scheduler.run(show(&failures));
  } else {
    scheduler.run(fetch_all(std::move(targets), &failures));
  }
  return failures > 0 ? 1 : 0;
}
