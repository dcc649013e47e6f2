#include "responses.hpp"

namespace {

/// Returns the echo of the whole lines in `text`. The rest after the last line remains in `text`.
std::string echo_of_lines(std::string& text) {
  std::string echo;
  for (std::size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
    echo += "GOT:" + text.substr(0, end + 1);
  }
  return echo;
}

bool is_whole(const std::string& echo, const std::string& all) {
  return echo.empty() || echo.back() == '\n' || echo == all;
}

}  // namespace

/// The server sends back each line that it has read, and at the end of the stream also the rest
/// after the last line. A client that is cut off gets whole lines, too.
bool is_right(const Peer& peer, bool takes_all, bool may_be_cut_off) {
  std::string rest = peer.read();
  const std::string lines = echo_of_lines(rest);
  const std::string all = rest.empty() ? lines : lines + "GOT:" + rest;
  if (!takes_all) return begins(all, peer.received);
  if (may_be_cut_off) return begins(all, peer.received) && is_whole(peer.received, all);
  if (peer.end == End::stays) return peer.received == lines && peer.arrived.empty();
  return peer.received == all && peer.end_was_read();
}

bool wants_no_more(const Peer& peer) {
  std::string text = peer.read();
  return peer.received == echo_of_lines(text);
}
