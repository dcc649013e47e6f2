// A library for LD_PRELOAD that makes one system call of a program fail, or one call of operator
// new in its first thread. The variable FAULTS contains the call, the error and the number of calls
// that succeed before, separated by colons: with "accept4:103:2", the third call of accept4() fails
// with error 103. With "send:short:4", the fifth call of send() transfers one byte. With "close"
// alone, no call fails. When the program exits, the library writes four numbers to the file in the
// variable FAULTS_REPORT: how often the call was made, how often it failed, how many file
// descriptors are open, and how many blocks of memory from operator new exist.
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

namespace {

// From the variable FAULTS. These have no constructors, because calls are made before the library
// is initialized.
char faulty_call[32];
bool is_short;
int error, faulty_at = -1;
pthread_t first_thread;
std::atomic<int> calls, faults, living;

[[gnu::constructor]] void read_variables() {
  first_thread = ::pthread_self();
  const char* const variable = std::getenv("FAULTS");
  if (!variable) return;
  const std::size_t length = std::min(std::strcspn(variable, ":"), sizeof faulty_call - 1);
  std::memcpy(faulty_call, variable, length);
  is_short = std::strncmp(variable + length, ":short", 6) == 0;
  std::sscanf(variable + length, is_short ? ":short:%d" : ":%*d:%d", &faulty_at);
  std::sscanf(variable + length, ":%d", &error);
  ::unsetenv("LD_PRELOAD");  // the children of the program run without the library
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

/// Counts a call. Returns true if this call must fail.
bool happens(const char* call) {
  if (std::strcmp(call, faulty_call) != 0) return false;
  if (calls++ != faulty_at) return false;
  ++faults;
  return true;
}

/// Returns the function that the library replaces.
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

/// Returns true for a socket and a file. Files in /proc are left out, because a number there is
/// always read in one piece, and so are the descriptors with which libuv wakes itself.
bool is_faulty(int fd) {
  struct stat status{};
  return ::fstat(fd, &status) == 0 &&
         (S_ISSOCK(status.st_mode) || (S_ISREG(status.st_mode) && status.st_dev != proc()));
}

/// A call that transfers bytes.
template <auto* function, typename Data, typename... Flags>
ssize_t transfer(const char* name, int fd, Data* data, std::size_t size, Flags... flags) {
  if (!is_faulty(fd)) return real<function>(name)(fd, data, size, flags...);
  if (!is_short) return call<function>(name, fd, data, size, flags...);
  return real<function>(name)(fd, data, happens(name) && size > 1 ? 1 : size, flags...);
}

using Main = int(int, char**, char**);
using Start = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
Main* program_main;

/// Runs main(). If an exception escapes, prints one line and returns 1, so that all objects are
/// destroyed, and an abort has another cause.
int main_that_catches(int count, char** words, char** variables) {
  try {
    return program_main(count, words, variables);
  } catch (const std::exception& what) {
    std::fprintf(stderr, "%s: %s\n", words[0], what.what());
    return 1;
  }
}

/// Closes a descriptor. The system does so even if it reports an error.
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
int poll(pollfd* polled, nfds_t count, int timeout) {
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
pid_t fork() noexcept {
  return call<&::fork>("fork");
}
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const auto mode = va_arg(more, mode_t);  // without O_CREAT there is none, and it is ignored
  va_end(more);
  return call<&::open64>("open64", path, flags, mode);
}
int close(int fd) {
  return close_with([fd] { return real<&::close>("close")(fd); });
}

/// The function of the C library that calls main().
int __libc_start_main(Main* main, int count, char** words, void (*init)(), void (*fini)(),
                      void (*unload)(), void* stack) {
  program_main = main;
  auto* const start = reinterpret_cast<Start*>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(main_that_catches, count, words, init, fini, unload, stack);
}

/// libuv closes descriptors in this way.
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

/// Fails only in the first thread, where the order of the calls is always the same.
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
