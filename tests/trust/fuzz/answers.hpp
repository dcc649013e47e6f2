#pragma once

#include "peer.hpp"

// What the clients of a program should get; web_answers.cpp and echo_answers.cpp say it for theirs.

/// Has this client, whose connection is closed, got what it should? If it takes all, that is all of
/// it; one that was cut off, because the server was asked to end, may not have been heard.
bool is_right(const Peer& peer, bool takes_all, bool may_be_cut_off);

/// Is there nothing that it still waits for, but the end?
bool wants_no_more(const Peer& peer);

/// Is `part` how `whole` begins?
inline bool begins(const std::string& whole, const std::string& part) {
  return whole.compare(0, part.size(), part) == 0;
}
