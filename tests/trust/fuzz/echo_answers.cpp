#include "answers.hpp"

namespace {

/// What comes back for each whole line; what stands behind the last one remains in `text`.
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

/// Each line that was read has come back, and what stood behind the last one, if that was the end.
/// A client that was cut off has been read to the end, too, but only whole lines come back.
bool is_right(const Peer& peer, bool takes_all, bool may_be_cut_off) {
  std::string rest = peer.read;
  const std::string lines = echo_of_lines(rest);
  const std::string all = rest.empty() ? lines : lines + "GOT:" + rest;
  if (!takes_all) return begins(all, peer.received);
  if (may_be_cut_off) return begins(all, peer.received) && is_whole(peer.received, all);
  if (peer.end == End::stays) return peer.received == lines && peer.arrived.empty();
  return peer.received == all && peer.end_was_read;
}

bool wants_no_more(const Peer& peer) {
  std::string text = peer.read;
  return peer.received == echo_of_lines(text);
}
