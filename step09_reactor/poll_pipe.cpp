#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <iostream>

#include "coop/uv/poll.hpp"

using namespace coop;

/// A pipe of the system, which knows nothing of coroutines: a call that would have to wait fails.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_NONBLOCK | O_CLOEXEC) < 0) {
      throw UvError(uv_translate_sys_error(errno), "cannot make a pipe");
    }
  }
  Pipe(const Pipe&) = delete;
  ~Pipe() {
    for (const int end : ends_) ::close(end);
  }

  int reading_end() const { return ends_[0]; }
  int writing_end() const { return ends_[1]; }

 private:
  std::array<int, 2> ends_{};
};

std::array<char, 4096> block;

/// Writes until nothing more goes in, then waits for room.
Coroutine<> fill(int descriptor, int times) {
  for (int i = 1; i <= times; ++i) {
    co_await writable(descriptor);
    while (::write(descriptor, block.data(), block.size()) > 0) {
    }
    std::cout << "The pipe is full. That was time " << i << ".\n";
  }
}

/// Reads until nothing more comes out, then waits for more.
Coroutine<> drain(int descriptor, int times) {
  for (int i = 1; i <= times; ++i) {
    co_await readable(descriptor);
    while (::read(descriptor, block.data(), block.size()) > 0) {
    }
    std::cout << "The pipe is empty.\n";
  }
}

int main() {
  const Pipe pipe;
  UvReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.spawn(fill(pipe.writing_end(), 3));
  scheduler.spawn(drain(pipe.reading_end(), 3));
  scheduler.run();
}
