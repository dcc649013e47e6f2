#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

/// What a client does after it has sent everything.
enum class End { closes, resets, stays, kMaxValue = stays };

/// A client of the simulated network, and the state of its connection.
struct Peer {
  std::deque<std::string> pieces;  ///< the data to send; each piece arrives by itself
  End end = End::closes;
  bool is_deaf = false;  ///< it never takes any data
  bool has_come = false, is_accepted = false, has_ended = false, is_closed = false;
  std::string arrived;             ///< data that the server has not read
  std::vector<std::string> reads;  ///< the results of the server's reads
  std::size_t window = 0;          ///< the number of bytes that it takes now
  std::string received;

  bool is_reset() const { return has_ended && end == End::resets; }

  /// Returns all data that the server has read.
  std::string read() const {
    std::string all;
    for (const std::string& data : reads) all += data;
    return all;
  }
  bool end_was_read() const { return !reads.empty() && reads.back().empty(); }
};

/// Takes up to four clients from the input.
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
