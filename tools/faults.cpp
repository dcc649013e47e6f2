// A library for LD_PRELOAD: it stands in front of the system calls of a program and of its
// libraries, and of operator new (in the first thread). FAULTS says which of them goes wrong, and
// how: "accept4:103:3" makes the first three calls of accept4 fail with errno 103, "read:104:1:4"
// the fifth one of read; "send:short" lets it send byte by byte; "close" alone only counts. With
// "deaf" no peer ever takes anything, and seconds are milliseconds; with "stopped", which may stand
// behind another, no time passes. When the program exits, the file that FAULTS_REPORT names gets
// how often that was called, how often it went wrong, how many descriptors are open and how many
// pieces of memory from operator new have not been given back.
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <new>

namespace {

/// What FAULTS says. Without constructors: calls come before this library is ready.
char faulty_call[32];
bool is_short, is_deaf;
int haste = 1;  ///< of this program's clock
int error, times = INT_MAX, after;
pthread_t first_thread;
std::atomic<int> calls, faults, living;

[[gnu::constructor]] void read_variables() {
  first_thread = ::pthread_self();
  const char* const variable = std::getenv("FAULTS");
  if (!variable) return;
  const std::size_t length = std::min(std::strcspn(variable, ":"), sizeof faulty_call - 1);
  std::memcpy(faulty_call, variable, length);
  is_deaf = std::strcmp(faulty_call, "deaf") == 0;
  haste = is_deaf ? 1000 : std::strstr(variable, "stopped") ? 0 : 1;
  is_short = std::strncmp(variable + length, ":short", 6) == 0;
  std::sscanf(variable + length, is_short ? ":short:%d:%d" : ":%*d:%d:%d", &times, &after);
  std::sscanf(variable + length, ":%d", &error);
  ::unsetenv("LD_PRELOAD");  // the children of the program shall do without
}

[[gnu::destructor]] void write_report() {
  const char* const name = std::getenv("FAULTS_REPORT");
  std::FILE* const report = name ? std::fopen(name, "w") : nullptr;
  if (!report) return;
  int open = -1;  // without the report
  for (int number = 0; number < 1024; ++number) open += ::fcntl(number, F_GETFD) >= 0;
  std::fprintf(report, "%d %d %d %d\n", +calls, +faults, open, +living);
  std::fclose(report);
}

/// Is this the call that shall go wrong?
bool happens(const char* call) {
  if (std::strcmp(call, faulty_call) != 0) return false;
  const int before = calls++;
  if (before < after || before - after >= times || (error == 0 && !is_short)) return false;
  ++faults;
  return true;
}

/// The function that this one stands in front of.
template <auto* function>
auto real(const char* name) {
  static void* const next = ::dlsym(RTLD_NEXT, name);
  return reinterpret_cast<decltype(function)>(next);
}

template <auto* function, typename... Arguments>
auto call(const char* name, Arguments... arguments) {
  if (!happens(name)) return real<function>(name)(arguments...);
  errno = error;
  return decltype(function(arguments...))(-1);
}

dev_t proc() {
  struct stat status{};
  ::stat("/proc", &status);
  return status.st_dev;
}

/// A connection, or a file: not of /proc, which gives a number in one piece, nor of
/// what libuv wakes itself with, which never fails.
bool is_faulty(int fd) {
  struct stat status{};
  return ::fstat(fd, &status) == 0 &&
         (S_ISSOCK(status.st_mode) || (S_ISREG(status.st_mode) && status.st_dev != proc()));
}

/// For one that moves bytes.
template <auto* function, typename Data, typename... Flags>
ssize_t transfer(const char* name, int fd, Data* data, std::size_t size, Flags... flags) {
  if (!is_faulty(fd)) return real<function>(name)(fd, data, size, flags...);
  if (!is_short) return call<function>(name, fd, data, size, flags...);
  return real<function>(name)(fd, data, happens(name) && size > 1 ? 1 : size, flags...);
}

using Main = int(int, char**, char**);
using Start = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
Main* program_main;

/// What leaves main() is a line and status 1: then all objects have gone, and an abort is something
/// else.
int main_that_catches(int count, char** words, char** variables) {
  try {
    return program_main(count, words, variables);
  } catch (const std::exception& what) {
    std::fprintf(stderr, "%s: %s\n", words[0], what.what());
    return 1;
  }
}

/// The system closes a descriptor even if it reports an error.
template <typename Close>
auto close_with(const Close& close) {
  const auto result = close();
  if (!happens("close")) return result;
  errno = error;
  return decltype(result)(-1);
}

}  // namespace

extern "C" {
int socket(int domain, int type, int protocol) noexcept {
  return call<&::socket>("socket", domain, type, protocol);
}
int socketpair(int domain, int type, int protocol, int* pair) noexcept {
  return call<&::socketpair>("socketpair", domain, type, protocol, pair);
}
int bind(int fd, const sockaddr* address, socklen_t size) noexcept {
  return call<&::bind>("bind", fd, address, size);
}
int listen(int fd, int backlog) noexcept {
  return call<&::listen>("listen", fd, backlog);
}
int connect(int fd, const sockaddr* address, socklen_t size) {
  return call<&::connect>("connect", fd, address, size);
}
int accept4(int fd, sockaddr* address, socklen_t* size, int flags) {
  return call<&::accept4>("accept4", fd, address, size, flags);
}
int getsockname(int fd, sockaddr* address, socklen_t* size) noexcept {
  return call<&::getsockname>("getsockname", fd, address, size);
}
int getpeername(int fd, sockaddr* address, socklen_t* size) noexcept {
  return call<&::getpeername>("getpeername", fd, address, size);
}
int setsockopt(int fd, int level, int name, const void* value, socklen_t size) noexcept {
  return call<&::setsockopt>("setsockopt", fd, level, name, value, size);
}
int shutdown(int fd, int how) noexcept {
  return call<&::shutdown>("shutdown", fd, how);
}
ssize_t read(int fd, void* data, size_t size) {
  return transfer<&::read>("read", fd, data, size);
}
ssize_t recv(int fd, void* data, size_t size, int flags) {
  return transfer<&::recv>("recv", fd, data, size, flags);
}
ssize_t recvmsg(int fd, msghdr* message, int flags) {
  return call<&::recvmsg>("recvmsg", fd, message, flags);
}
ssize_t write(int fd, const void* data, size_t size) {
  return transfer<&::write>("write", fd, data, size);
}
ssize_t send(int fd, const void* data, size_t size, int flags) {
  return transfer<&::send>("send", fd, data, size, flags);
}
ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  return call<&::sendmsg>("sendmsg", fd, message, flags);
}
int poll(pollfd* polled, nfds_t count, int timeout) {
  for (nfds_t i = 0; is_deaf && i < count; ++i) polled[i].events &= ~POLLOUT;
  if (timeout > 0) timeout = haste == 0 ? -1 : timeout / haste + 1;
  return call<&::poll>("poll", polled, count, timeout);
}
int epoll_create1(int flags) noexcept {
  return call<&::epoll_create1>("epoll_create1", flags);
}
int epoll_pwait(int fd, epoll_event* events, int most, int timeout, const sigset_t* mask) {
  return call<&::epoll_pwait>("epoll_pwait", fd, events, most, timeout, mask);
}
int eventfd(unsigned value, int flags) noexcept {
  return call<&::eventfd>("eventfd", value, flags);
}
int pipe2(int* ends, int flags) noexcept {
  return call<&::pipe2>("pipe2", ends, flags);
}
int inotify_init1(int flags) noexcept {
  return call<&::inotify_init1>("inotify_init1", flags);
}
int inotify_add_watch(int fd, const char* path, uint32_t mask) noexcept {
  return call<&::inotify_add_watch>("inotify_add_watch", fd, path, mask);
}
pid_t fork() noexcept {
  return call<&::fork>("fork");
}
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const auto mode = va_arg(more, mode_t);  // there may be none: then nobody looks at it
  va_end(more);
  return call<&::open64>("open64", path, flags, mode);
}
int close(int fd) {
  return close_with([fd] { return real<&::close>("close")(fd); });
}

/// What calls main().
int __libc_start_main(Main* main, int count, char** words, void (*init)(), void (*fini)(),
                      void (*unload)(), void* stack) {
  program_main = main;
  auto* const start = reinterpret_cast<Start*>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(main_that_catches, count, words, init, fini, unload, stack);
}

/// libuv closes so.
long syscall(long number, ...) noexcept {
  long a[6];
  va_list more;
  va_start(more, number);
  for (long& each : a) each = va_arg(more, long);
  va_end(more);
  const auto make = [&] {
    return real<&::syscall>("syscall")(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  };
  return number == SYS_close ? close_with(make) : make();
}
}

namespace std::chrono {
inline namespace _V2 {
steady_clock::time_point steady_clock::now() noexcept {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time_point((seconds(time.tv_sec) + nanoseconds(time.tv_nsec)) * haste);
}
}  // namespace _V2
}  // namespace std::chrono

/// In the first thread: which one would be next is known there.
void* operator new(std::size_t size) {
  const bool fails = ::pthread_equal(::pthread_self(), first_thread) && happens("new");
  void* const memory = fails ? nullptr : std::malloc(std::max<std::size_t>(size, 1));
  if (!memory) throw std::bad_alloc();
  ++living;
  return memory;
}

void operator delete(void* memory) noexcept {
  if (memory) --living;
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}
