#pragma once

#include <sys/socket.h>

#include "any_catch2.hpp"
#include "socket.hpp"

/// Two sockets that talk to each other.
struct Pair {
  Pair() {
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
    here = Socket(ends[0]);
    there = Socket(ends[1]);
  }
  Socket here, there;
};
