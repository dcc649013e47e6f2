#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

/// How a client behaves after it has sent all.
enum class End { closes, resets, stays, kMaxValue = stays };

/// A client: what it will send and how, and what has become of it.
struct Peer {
  std::deque<std::string> pieces;  ///< each arrives by itself
  End end = End::closes;
  bool is_deaf = false;  ///< it never takes what it is sent
  bool has_come = false, is_accepted = false, has_ended = false, is_closed = false;
  std::string arrived;  ///< and has not been read
  std::string read;     ///< by the server, all together
  std::string first_read;
  bool has_been_read = false, end_was_read = false;
  std::size_t window = 0;  ///< so much it will take now
  std::string received;

  bool is_reset() const { return has_ended && end == End::resets; }
};

/// As the input has it: up to four.
inline std::vector<Peer> some_peers(FuzzedDataProvider& choices) {
  std::vector<Peer> peers(choices.ConsumeIntegralInRange<std::size_t>(0, 4));
  for (Peer& peer : peers) {
    peer.end = choices.ConsumeEnum<End>();
    peer.is_deaf = choices.ConsumeIntegral<unsigned char>() == 0xff;
    for (int pieces = choices.ConsumeIntegralInRange(0, 6); pieces > 0; --pieces) {
      std::string piece = choices.ConsumeRandomLengthString();
      if (!piece.empty()) peer.pieces.push_back(std::move(piece));
    }
  }
  return peers;
}
