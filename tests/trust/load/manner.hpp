#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

/// How a client behaves.
enum class Manner {
  polite,       ///< sends a request, and reads the response to its end
  slow,         ///< sends byte by byte
  resetting,    ///< resets the connection, see reset_moment()
  silent,       ///< sends nothing, and closes the connection after many other clients
  oversized,    ///< sends a request that is longer than the server allows
  endless,      ///< sends until the response has ended
  half_closed,  ///< sends a request and the end of the stream
  cut_off,      ///< sends half a request and the end of the stream
};
constexpr std::array manner_names{"polite",    "slow",    "resetting",   "silent",
                                  "oversized", "endless", "half-closed", "cut off"};

/// Returns the manner of a client. One client in ten misbehaves.
inline Manner manner_of(long serial) {
  constexpr std::array misbehaving{
      Manner::slow,    Manner::resetting, Manner::silent,    Manner::oversized, Manner::half_closed,
      Manner::cut_off, Manner::slow,      Manner::resetting, Manner::silent,    Manner::endless};
  if (serial % 10 != 0) return Manner::polite;
  return misbehaving[static_cast<std::size_t>(serial / 10) % misbehaving.size()];
}

/// Returns when a resetting client does it: before it sends anything (0), in the middle of the
/// request (1) or in the middle of the response (2).
inline long reset_moment(long serial) {
  return serial / 10 % 3;
}

/// Returns the text that a client sends. No two clients send the same, so a response that reaches
/// the wrong client is noticed.
inline std::string request_of(Manner manner, long serial) {
  const std::string head = "GET /" + std::to_string(serial) + " HTTP/1.1\r\nHost: localhost\r\n";
  const std::string half = head.substr(0, head.size() / 2);
  const long moment = manner == Manner::resetting ? reset_moment(serial) : 2;
  if (manner == Manner::silent || moment == 0) return "";
  if (manner == Manner::cut_off || moment == 1) return half;
  if (manner == Manner::oversized) return head + "X: " + std::string(20000, 'x') + "\r\n\r\n";
  if (manner == Manner::endless) return head + "X: " + std::string(60000, 'x');
  return head + "\r\n";
}

inline std::string response_to(const std::string& request) {
  const std::string message = "Received following request:\n\n" + request;
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(message.size()) + "\r\nConnection: close\r\n\r\n" + message;
}

/// Returns true if `response` is right for a client. A server responds to the request up to its
/// blank line, or to the first part of it that is longer than 8192 bytes.
inline bool is_right(Manner manner, const std::string& request, const std::string& response) {
  if (manner == Manner::silent) return response.empty();
  if (manner == Manner::resetting)
    return response_to(request).compare(0, response.size(), response) == 0;
  const std::string start = "Received following request:\n\n";
  const std::size_t found = response.find(start);
  if (found == std::string::npos) return false;
  const std::size_t size = response.size() - found - start.size();
  const bool has_size = size >= std::min<std::size_t>(request.size(), 8193) && size <= 16384;
  return has_size && response == response_to(request.substr(0, size));
}
