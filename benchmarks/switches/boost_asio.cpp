// Boost.Asio's awaitables, in the fast way: one thread, and the type of the executor is known.

#include <benchmark/benchmark.h>  // also includes <utility>, which Boost 1.74 forgets

#include <boost/asio.hpp>

#include "measure.hpp"

namespace {

namespace asio = boost::asio;
using Executor = asio::io_context::executor_type;

asio::awaitable<void, Executor> yields(Run* run) {
  while (run->another_turn()) {
    co_await asio::post(asio::use_awaitable_t<Executor>());
  }
}

void yield(benchmark::State& state) {
  Run run(state);
  asio::io_context context(1);
  for (std::int64_t i = 0; i < run.tasks(); ++i) {
    asio::co_spawn(context.get_executor(), yields(&run), asio::detached);
  }
  context.run();
}

}  // namespace

int main(int argc, char** argv) {
  return measure(argc, argv, yield);
}
