#include "visit.hpp"

/// The server sends back each line that it has read, and at the end of the stream also the rest
/// after the last line.
bool is_right(const Client& client, bool was_cut_off) {
  std::string rest = client.sent, echo;
  for (std::size_t end; (end = rest.find('\n')) != std::string::npos; rest.erase(0, end + 1)) {
    echo += "GOT:" + rest.substr(0, end + 1);
  }
  if (client.has_ended && !rest.empty()) echo += "GOT:" + rest;
  return was_cut_off ? begins(echo, client.received) : echo == client.received;
}
