#include "answers.hpp"

/// The answer to what the first read has given, whatever that was.
bool is_right(const Peer& peer, bool takes_all, bool may_be_cut_off) {
  if (!peer.has_been_read) {
    const bool is_silent = peer.read.empty() && peer.end == End::stays;
    return peer.received.empty() && (is_silent || may_be_cut_off || peer.is_reset());
  }
  const std::string message = "Received following request:\n\n" + peer.first_read;
  const std::string answer = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
                             std::to_string(message.size()) + "\r\nConnection: close\r\n\r\n" +
                             message;
  return takes_all ? peer.received == answer : begins(answer, peer.received);
}

bool wants_no_more(const Peer& peer) {
  return peer.read.empty();
}
