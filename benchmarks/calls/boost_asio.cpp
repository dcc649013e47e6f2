// Boost.Asio with its scheduler for one thread.

#include <boost/asio.hpp>
#include <cstdint>

#include "measures.hpp"

namespace {

boost::asio::awaitable<void> empty(std::int64_t* ended) {
  ++*ended;
  co_return;
}

void spawn(benchmark::State& state) {
  boost::asio::io_context context(1);
  std::int64_t ended = 0;
  while (state.KeepRunningBatch(spawned_at_once)) {
    for (int i = 0; i < spawned_at_once; ++i) {
      boost::asio::co_spawn(context, empty(&ended), boost::asio::detached);
    }
    context.run();
    context.restart();
  }
  expect(state, ended);
}

}  // namespace

BENCHMARK(spawn);
