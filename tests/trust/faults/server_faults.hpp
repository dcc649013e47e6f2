#pragma once

#include <cerrno>
#include <string>
#include <vector>

/// What an error of a call may cost, at most.
enum class Cost {
  nothing,     ///< no client notices
  one_client,  ///< the one it happened to does not get its answer, or not all of it
  who_waits,   ///< the same for all who wait to be accepted
  the_server,  ///< it says one line and ends with status 1; and it must
  either       ///< one client, or the server, which says so and ends
};

/// A call, the errors that its manual page says it may have (0 is one byte instead of many), and
/// what they may cost.
struct Kind {
  std::string call;
  std::vector<int> errors;
  Cost cost;
};

/// What a server does to begin with. Without it there is none.
inline const std::vector<Kind> faults_of_starting{
    {"socket", {EMFILE, ENFILE, EACCES, ENOBUFS, ENOMEM, EAFNOSUPPORT}, Cost::the_server},
    {"bind", {EADDRINUSE, EACCES, EADDRNOTAVAIL}, Cost::the_server},
    {"listen", {EADDRINUSE}, Cost::the_server},
    {"getsockname", {ENOBUFS}, Cost::the_server},
};

/// operator new. A server that cannot go on without that memory says so and ends.
inline const Kind no_memory{"new", {ENOMEM}, Cost::either};

/// Of steps 5 to 8.
inline const std::vector<Kind> faults_by_hand{
    {"setsockopt", {ENOMEM, ENOBUFS}, Cost::the_server},
    {"pipe2", {EMFILE, ENFILE}, Cost::the_server},
    {"accept4",
     {EAGAIN, EINTR, ECONNABORTED, EMFILE, ENFILE, ENOBUFS, ENOMEM, EPERM, EPROTO},
     Cost::nothing},
    {"read", {EAGAIN, EINTR, 0}, Cost::nothing},
    {"read", {ECONNRESET, ETIMEDOUT, EIO, ENOBUFS, ENOMEM}, Cost::one_client},
    {"send", {EAGAIN, EINTR, 0}, Cost::nothing},
    {"send", {ECONNRESET, EPIPE, ETIMEDOUT, ENOBUFS, ENOMEM}, Cost::one_client},
    {"poll", {EINTR}, Cost::nothing},
    {"poll", {ENOMEM}, Cost::the_server},
    {"shutdown", {ENOTCONN, ENOBUFS}, Cost::one_client},
    {"getpeername", {ENOTCONN, ENOBUFS}, Cost::nothing},
    {"close", {EINTR, EIO}, Cost::nothing},
};

/// Of step 9, where libuv makes most of them. It has no way out, and aborts, if epoll_ctl() fails,
/// or the very first pipe2(); the others are here.
inline const std::vector<Kind> faults_of_libuv{
    {"epoll_create1", {EMFILE, ENFILE, ENOMEM}, Cost::the_server},
    {"eventfd", {EMFILE, ENFILE, ENOMEM}, Cost::the_server},
    {"setsockopt", {ENOMEM, ENOBUFS}, Cost::the_server},
    {"accept4", {EAGAIN, EINTR, ECONNABORTED, ENOBUFS, ENOMEM, EPERM, EPROTO}, Cost::nothing},
    {"accept4", {EMFILE, ENFILE}, Cost::who_waits},
    {"recv", {EAGAIN, EINTR, 0}, Cost::nothing},
    {"recv", {ECONNRESET, ETIMEDOUT, EIO, ENOBUFS, ENOMEM}, Cost::one_client},
    {"read", {EAGAIN, EINTR, 0}, Cost::nothing},
    {"read", {ECONNRESET, ETIMEDOUT, EIO, ENOBUFS, ENOMEM}, Cost::one_client},
    {"write", {EAGAIN, EINTR, ENOBUFS, 0}, Cost::nothing},
    {"write", {ECONNRESET, EPIPE, ETIMEDOUT, ENOMEM}, Cost::one_client},
    {"epoll_pwait", {EINTR}, Cost::nothing},
    {"shutdown", {ENOTCONN, ENOBUFS}, Cost::one_client},
    {"getpeername", {ENOTCONN, ENOBUFS}, Cost::one_client},
    {"open64", {EMFILE, ENFILE}, Cost::nothing},
    {"close", {EINTR, EIO}, Cost::nothing},
};
