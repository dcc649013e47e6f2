#include <unistd.h>

#include <array>
#include <iostream>

#include "../coop/run.hpp"
#include "../coop/uv/file.hpp"
#include "../coop/uv/poll.hpp"

using namespace coop;

/// Writes until the pipe is full, three times.
Coroutine<> fill(int descriptor) {
  const std::array<char, 4096> block{};
  for (int i = 1; i <= 3; ++i) {
    co_await writable(descriptor);
    while (::write(descriptor, block.data(), block.size()) > 0) {
    }
    std::cout << "The pipe is full for time " << i << ".\n";
  }
}

/// Reads until the pipe is empty, three times.
Coroutine<> drain(int descriptor) {
  std::array<char, 4096> block{};
  for (int i = 1; i <= 3; ++i) {
    co_await readable(descriptor);
    while (::read(descriptor, block.data(), block.size()) > 0) {
    }
    std::cout << "The pipe is empty.\n";
  }
}

Coroutine<> main_task() {
  std::array<int, 2> ends{};
  const int result = uv_pipe(ends.data(), UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE);
  if (result < 0) throw UvError(result, "cannot create a pipe");
  const Descriptor reader(ends[0]), writer(ends[1]);
  Scope scope;
  scope.spawn(fill(writer.get()));
  scope.spawn(drain(reader.get()));
  co_await scope.join();
}

int main() {
  coop::run(main_task());
}
