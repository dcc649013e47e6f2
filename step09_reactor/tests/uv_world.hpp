#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <ctime>
#include <functional>
#include <string>
#include <utility>

#include "coop/timeout.hpp"
#include "coop/uv/uv_reactor.hpp"
#include "world.hpp"

/// A test that has this as its fixture checks that it leaves no descriptor open.
class NoDescriptorLeft {
 public:
  NoDescriptorLeft() : before_(count()) {}
  NoDescriptorLeft(const NoDescriptorLeft&) = delete;
  ~NoDescriptorLeft() { CHECK(count() == before_); }

 private:
  static std::ptrdiff_t count() {
    static const coop::UvReactor first;  // libuv keeps a pipe for signals until the process ends
    std::ptrdiff_t open = 0;
    for (int i = 0; i < 1024; ++i) {
      if (::fcntl(i, F_GETFD) >= 0) ++open;
    }
    return open;
  }

  std::ptrdiff_t before_;
};

/// The fixture of the tests of the UvReactor.
struct UvWorld : NothingLeft, NoDescriptorLeft {
  Log log;
  coop::UvReactor reactor;
  coop::Scheduler scheduler{reactor};
};

/// The name of libuv's error, or the text of another error.
inline std::string name_of(const std::exception_ptr& error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const coop::UvError& uv_error) {
    std::array<char, 64> name{};
    return uv_err_name_r(uv_error.code(), name.data(), name.size());
  } catch (...) {
  }
  return text_of(error);
}

/// Runs `body` and logs how it ends, for example "name: ECONNRESET".
inline coop::Coroutine<> outcome(Log* out, std::string name, coop::Coroutine<> body) {
  const Living living;
  try {
    co_await std::move(body);
    out->push_back(name + ": done");
  } catch (...) {
    out->push_back(name + ": " + name_of(std::current_exception()));
  }
}

/// Uses CPU time for that long.
inline void compute(coop::Clock::duration time) {
  const auto end = coop::Clock::now() + time;
  while (coop::Clock::now() < end) {
  }
}

/// While it lives, this process is out of file descriptors.
class NoMoreDescriptors {
 public:
  NoMoreDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const int next = ::dup(0);  // the lowest free one
    ::close(next);
    const rlimit none{static_cast<rlim_t>(next), before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
  }
  NoMoreDescriptors(const NoMoreDescriptors&) = delete;
  ~NoMoreDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

/// A pair of descriptors, such as a pipe, that closes itself.
struct Ends {
  explicit Ends(int (*make)(int*)) { REQUIRE(make(both) == 0); }
  Ends(const Ends&) = delete;
  ~Ends() {
    close(0);
    close(1);
  }
  void close(int which) {
    if (both[which] >= 0) ::close(std::exchange(both[which], -1));
  }

  int both[2] = {-1, -1};
};

/// Work for another thread.
inline void nothing() {}
