#pragma once

#include <string>

#include "peer.hpp"

// The responses that the clients of a server must get: see web_responses.cpp and
// echo_responses.cpp.

/// Returns true if a client has received what it must, after its connection has been closed. A
/// client that takes everything must have the whole response, unless it `may_be_cut_off`, because
/// the server was stopped.
bool is_right(const Peer& peer, bool takes_all, bool may_be_cut_off);

/// Returns true if a client waits for nothing but the end of the connection.
bool wants_no_more(const Peer& peer);

/// Returns true if `whole` begins with `part`.
inline bool begins(const std::string& whole, const std::string& part) {
  return whole.compare(0, part.size(), part) == 0;
}
