#pragma once

#include <array>
#include <cstddef>
#include <string>

/// How a client behaves.
enum class Manner {
  polite,       ///< sends a request, reads the answer to its end
  slow,         ///< sends byte by byte
  resetting,    ///< resets the connection, see reset_moment()
  silent,       ///< never sends, and leaves when many others have been served
  oversized,    ///< sends more than the server reads of a request
  endless,      ///< sends until the server closes
  half_closed,  ///< ends its side after the request
  cut_off,      ///< ends its side within the request
};
constexpr std::array manner_names{"polite",    "slow",    "resetting",   "silent",
                                  "oversized", "endless", "half-closed", "cut off"};

/// The manner of client number `serial`: one in ten misbehaves, in each way in its turn.
inline Manner manner_of(long serial) {
  constexpr std::array misbehaving{
      Manner::slow,    Manner::resetting, Manner::silent,    Manner::oversized, Manner::half_closed,
      Manner::cut_off, Manner::slow,      Manner::resetting, Manner::silent,    Manner::endless};
  if (serial % 10 != 0) return Manner::polite;
  return misbehaving[static_cast<std::size_t>(serial / 10) % misbehaving.size()];
}

/// When a resetting client does it: before a word (0), within the request (1), within the answer
/// (2).
inline long reset_moment(long serial) {
  return serial / 10 % 3;
}

/// What it sends. No two send the same, so that an answer to somebody else is noticed.
inline std::string request_of(Manner manner, long serial) {
  const std::string head = "GET /" + std::to_string(serial) + " HTTP/1.1\r\nHost: localhost\r\n";
  const std::string half = head.substr(0, head.size() / 2);
  switch (manner) {
  case Manner::silent:
    return "";
  case Manner::resetting:
    return reset_moment(serial) == 0 ? "" : half;
  case Manner::oversized:
    return head + "X: " + std::string(20000, 'x') + "\r\n\r\n";
  case Manner::endless:
    return head + "X: " + std::string(60000, 'x');
  case Manner::cut_off:
    return half;
  default:
    return head + "\r\n";
  }
}

inline std::string answer_to(const std::string& request) {
  const std::string message = "Received following request:\n\n" + request;
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(message.size()) + "\r\nConnection: close\r\n\r\n" + message;
}

/// Is it right that this client got this?
inline bool is_right(Manner manner, const std::string& request, const std::string& got) {
  switch (manner) {
  case Manner::silent:
    return got.empty();
  case Manner::resetting:
    return got == answer_to(request).substr(0, got.size());
  case Manner::slow:  // the server answers to what it has read at first: one byte, or some
    for (std::size_t size = 1; size <= request.size(); ++size) {
      if (got == answer_to(request.substr(0, size))) return true;
    }
    return false;
  default:
    return got == answer_to(request.substr(0, 8192));  // as much as the server reads
  }
}
