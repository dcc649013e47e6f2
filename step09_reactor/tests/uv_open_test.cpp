#include <sys/socket.h>
#include <termios.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "coop/uv/listener.hpp"
#include "coop/uv/udp.hpp"
#include "uv_files.hpp"
#include "uv_world.hpp"

using namespace coop;

namespace {

/// Two descriptors, which are closed at the end.
struct Pair {
  explicit Pair(int (*make)(int*)) {
    if (make(both.data()) != 0) throw std::runtime_error("no pair of descriptors");
  }
  Pair(const Pair&) = delete;
  ~Pair() {
    close(0);
    close(1);
  }
  void close(std::size_t which) {
    if (both[which] >= 0) ::close(std::exchange(both[which], -1));
  }

  std::array<int, 2> both{-1, -1};
};

int sockets(int* both) {
  return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both);
}

int pipes(int* both) {
  return ::pipe2(both, O_CLOEXEC);
}

/// A terminal, which gives on what it gets: the side of the program, and the side of the window.
int terminal(int* both) {
  both[1] = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (both[1] < 0 || ::grantpt(both[1]) != 0 || ::unlockpt(both[1]) != 0) return -1;
  std::array<char, 64> name{};
  ::ptsname_r(both[1], name.data(), name.size());
  both[0] = ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios raw{};
  ::tcgetattr(both[0], &raw);
  ::cfmakeraw(&raw);
  return ::tcsetattr(both[0], TCSANOW, &raw);
}

bool is_blocking(int descriptor) {
  return (::fcntl(descriptor, F_GETFL) & O_NONBLOCK) == 0;
}

void make_blocking(int descriptor) {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
}

Coroutine<> write_all(std::unique_ptr<Io> to, std::string text) {
  co_await to->write(std::move(text));
}

Coroutine<> read_once(Io* from, std::string* out) {
  *out = co_await from->read();
}

Coroutine<> say_read(Io* from, Log* log) {
  std::string text;
  co_await read_once(from, &text);
  log->push_back(text);
}

Coroutine<> reading_contract(int descriptor, Log* log) {
  const std::unique_ptr<Io> io = open_descriptor(descriptor);
  make_blocking(descriptor);  // as a child does that inherits it
  std::string text;
  std::function<Coroutine<>()> waits = [&] { return read_once(io.get(), &text); };
  co_await keep_contract(log, waits);
}

Coroutine<> send_8_mib(Pair* through) {
  std::unique_ptr<Io> from = open_descriptor(through->both[0]);
  std::unique_ptr<Io> to = open_descriptor(through->both[1]);
  through->close(0);
  through->close(1);
  const std::string sent = long_text(8 << 20);
  spawn(write_all(std::move(to), sent));
  std::string all, part;
  do {
    co_await read_once(from.get(), &part);
    all += part;
  } while (!part.empty());
  CHECK(all == sent);
}

Coroutine<> open_once(int descriptor) {
  open_descriptor(descriptor);
  co_return;
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "8 MiB through a pipe that was open already", "[step09]") {
  Pair pair(pipes);
  scheduler.run(send_8_mib(&pair));
}

TEST_CASE_METHOD(UvWorld, "8 MiB through sockets that were open already", "[step09]") {
  Pair pair(sockets);
  scheduler.run(send_8_mib(&pair));
}

TEST_CASE_METHOD(UvWorld, "a terminal gives what is typed and shows what is written", "[step09]") {
  Pair pair(terminal);
  scheduler.run([](Pair* both, Log* out) -> Coroutine<> {
    const std::unique_ptr<Io> program = open_descriptor(both->both[0]);
    const std::unique_ptr<Io> window = open_descriptor(both->both[1]);
    co_await window->write("typed");
    co_await say_read(program.get(), out);
    co_await program->write("shown");
    co_await say_read(window.get(), out);
    const Handle<void> task = spawn(say_read(program.get(), out));
    co_await suspend();
    co_await window->write("later");
    co_await task;
  }(&pair, &log));
  REQUIRE(log == Log{"typed", "shown", "later"});
  REQUIRE(is_blocking(pair.both[0]));  // for others who have it open
}

TEST_CASE("reading what was open already keeps the contract of what can be waited for",
          "[step09]") {
  int (*const make)(int*) = GENERATE(pipes, sockets, terminal);
  const std::size_t side = GENERATE(0U, 1U);
  if (make == pipes && side == 1) return;  // there is nothing to read
  UvWorld world;
  Pair pair(make);
  check_contract(&world, reading_contract(pair.both[side], &world.log));
}

TEST_CASE_METHOD(UvWorld, "a copy of a TCP connection outlives it", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Listener listener(Address("127.0.0.1", 0));
    const std::vector<Address> addresses(1, Address("127.0.0.1", listener.port()));
    std::unique_ptr<Stream> client = co_await connect(addresses);
    const std::unique_ptr<Stream> server = co_await listener.accept();
    const std::unique_ptr<Io> copy = open_descriptor(client->descriptor());
    client.reset();
    co_await copy->write("hello");
    co_await say_read(server.get(), out);
    co_await server->write("you too");
    co_await say_read(copy.get(), out);
  }(&log));
  REQUIRE(log == Log{"hello", "you too"});
}

TEST_CASE_METHOD(UvWorld, "a file that was open already is read from where it is", "[step09]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "a") << "123456";
  const int file = ::open((folder / "a").c_str(), O_RDONLY | O_CLOEXEC);
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::lseek(file, 3, SEEK_SET);
  scheduler.run([](int descriptor, int empty, Log* out) -> Coroutine<> {
    const std::unique_ptr<Io> io = open_descriptor(descriptor);
    ::close(descriptor);
    co_await say_read(io.get(), out);
    const std::unique_ptr<Io> nothing = open_descriptor(empty);
    ::close(empty);
    co_await say_read(nothing.get(), out);
    co_await nothing->write("x");
  }(file, null, &log));
  REQUIRE(log == Log{"456", ""});
}

TEST_CASE_METHOD(UvWorld, "a descriptor that is no Io is an error with its name", "[step09]") {
  const TemporaryFolder folder;
  const int directory = ::open(folder.path().c_str(), O_RDONLY | O_CLOEXEC);
  const int udp = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const int closed = ::dup(0);
  ::close(closed);
  scheduler.run([](int one, int two, int three, Log* out) -> Coroutine<> {
    co_await outcome(out, "directory", open_once(one));
    co_await outcome(out, "UDP", open_once(two));
    co_await report(out, "closed", open_once(three));
    const NoMoreDescriptors none;
    co_await outcome(out, "no more", open_once(two));
  }(directory, udp, closed, &log));
  ::close(directory);
  ::close(udp);
  const std::string bad =
      "cannot use descriptor " + std::to_string(closed) + ": bad file descriptor (EBADF)";
  REQUIRE(log == Log{"directory: EINVAL", "UDP: EINVAL", "closed: " + bad, "no more: EMFILE"});
}
