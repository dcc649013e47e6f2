#include "responses.hpp"

namespace {

/// Returns true if the server responds to `request` before the end of the stream.
bool is_complete(const std::string& request) {
  return request.find("\r\n\r\n") != std::string::npos || request.size() > 8192;
}

}  // namespace

bool is_right(const Peer& peer, bool takes_all, bool may_be_cut_off) {
  std::string request;
  bool has_request = false;
  for (std::size_t i = 0; i < peer.reads.size() && !has_request; ++i) {
    request += peer.reads[i];
    has_request = is_complete(request) || peer.reads[i].empty();
  }
  if (!has_request) {
    const bool may_be_half = peer.end == End::stays || may_be_cut_off || peer.is_reset();
    return peer.received.empty() && may_be_half;
  }
  const std::string message = "Received following request:\n\n" + request;
  const std::string response = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
                               std::to_string(message.size()) + "\r\nConnection: close\r\n\r\n" +
                               message;
  return takes_all ? peer.received == response : begins(response, peer.received);
}

bool wants_no_more(const Peer& peer) {
  return !is_complete(peer.read());
}
