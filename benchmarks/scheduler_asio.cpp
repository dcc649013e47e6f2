// The peer: the same yields with Asio's awaitables, on its scheduler for one thread.

#include <benchmark/benchmark.h>

#include <asio.hpp>
#include <cstdint>

namespace {

constexpr std::int64_t turns_each = 100;

asio::awaitable<void> yields(std::int64_t turns) {
  for (std::int64_t i = 0; i < turns; ++i) {
    co_await asio::post(asio::use_awaitable);
  }
}

void yield_in_asio(benchmark::State& state) {
  const std::int64_t tasks = state.range(0);
  for (auto _ : state) {
    asio::io_context context(1);
    for (std::int64_t i = 0; i < tasks; ++i) {
      asio::co_spawn(context, yields(turns_each), asio::detached);
    }
    context.run();
  }
  state.SetItemsProcessed(state.iterations() * tasks * turns_each);
}

}  // namespace

BENCHMARK(yield_in_asio)->Arg(2)->Arg(1000);
