#include "responses.hpp"

namespace {

/// Returns true if the server doesn't read more than `request`, after its last read returned
/// `data`.
bool is_complete([[maybe_unused]] const std::string& request,
                 [[maybe_unused]] const std::string& data) {
#ifdef READS_ONCE
  return true;
#else
  return request.find("\r\n\r\n") != std::string::npos || data.empty() || request.size() > 8192;
#endif
}

}  // namespace

bool is_right(const Peer& peer, bool takes_all, bool may_be_cut_off) {
  std::string request;
  bool has_request = false;
  for (std::size_t i = 0; i < peer.reads.size() && !has_request; ++i) {
    request += peer.reads[i];
    has_request = is_complete(request, peer.reads[i]);
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
  return peer.read().empty();
}
