#pragma once

#include <cerrno>
#include <string>
#include <vector>

/// The most that an error of a call may cost.
enum class Cost {
  nothing,      ///< no client notices it, and the server prints no error
  a_line,       ///< no client notices it, but the server may print an error
  one_client,   ///< one client doesn't get its response, or not all of it
  all_waiting,  ///< the same for all clients that wait to be accepted
  the_server,   ///< the server must end with one line on stderr and exit status 1
  either        ///< one_client or the_server
};

/// A call, errors that its manual page names (0 is a transfer of one byte), and their cost.
struct Kind {
  std::string call;
  std::vector<int> errors;
  Cost cost;
};

/// A server can't start without these calls.
inline const std::vector<Kind> faults_of_starting{
    {"socket", {EMFILE, ENFILE, EACCES, ENOBUFS, ENOMEM, EAFNOSUPPORT}, Cost::the_server},
    {"bind", {EADDRINUSE, EACCES, EADDRNOTAVAIL}, Cost::the_server},
    {"listen", {EADDRINUSE}, Cost::the_server},
};

/// Steps 7 and 8. They ignore the errors of the calls that can fail only because of a defect, such
/// as getsockname(), and of signalfd(), because socket() fails for the same reasons. An error of
/// poll() propagates out of main(). After an error of shutdown() there is no connection, and the
/// next read ends. If accept() fails during the shutdown, the task prints the error.
inline const std::vector<Kind> faults_of_step07{
    {"setsockopt", {ENOMEM, ENOBUFS}, Cost::nothing},
    {"accept4", {EAGAIN, EINTR}, Cost::nothing},
    {"accept4", {ECONNABORTED, EMFILE, ENFILE, ENOBUFS, ENOMEM, EPERM, EPROTO}, Cost::a_line},
    {"read", {EAGAIN, EINTR, 0}, Cost::nothing},
    {"read", {ECONNRESET, ETIMEDOUT, EIO, ENOBUFS, ENOMEM}, Cost::one_client},
    {"send", {EAGAIN, EINTR, 0}, Cost::nothing},
    {"send", {ECONNRESET, EPIPE, ETIMEDOUT, ENOBUFS, ENOMEM}, Cost::one_client},
    {"poll", {EINTR}, Cost::nothing},
    {"getpeername", {ENOTCONN, ENOBUFS}, Cost::nothing},
    {"close", {EINTR, EIO}, Cost::nothing},
};

/// Step 9, where libuv makes the calls. It aborts if epoll_ctl() or its first pipe2() fails, so
/// these are left out.
inline const std::vector<Kind> faults_of_step09{
    {"getsockname", {ENOBUFS}, Cost::the_server},
    {"epoll_create1", {EMFILE, ENFILE, ENOMEM}, Cost::the_server},
    {"eventfd", {EMFILE, ENFILE, ENOMEM}, Cost::the_server},
    {"setsockopt", {ENOMEM, ENOBUFS}, Cost::the_server},
    {"accept4", {EAGAIN, EINTR, ECONNABORTED, ENOBUFS, ENOMEM, EPERM, EPROTO}, Cost::nothing},
    {"accept4", {EMFILE, ENFILE}, Cost::all_waiting},
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
    {"new", {ENOMEM}, Cost::either},
};
