#include "visit.hpp"

namespace {

std::string response_to(const std::string& request) {
  const std::string message = "Received following request:\n\n" + request;
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(message.size()) + "\r\nConnection: close\r\n\r\n" + message;
}

bool is_complete(const std::string& request) {
  return request.find("\n\r\n") != std::string::npos || request.find("\n\n") != std::string::npos;
}

}  // namespace

/// The request is the first part of the data that is complete, or longer, or all data of a client
/// that has closed its side.
bool is_right(const Client& client, bool was_cut_off) {
  if (client.received.empty())
    return was_cut_off || (client.end == End::stays && !is_complete(client.sent));
  for (std::size_t size = 0; size <= client.sent.size(); ++size) {
    const std::string request = client.sent.substr(0, size);
    if (!is_complete(request) && (size < client.sent.size() || !client.has_ended)) continue;
    const std::string response = response_to(request);
    if (was_cut_off ? begins(response, client.received) : response == client.received) return true;
  }
  return false;
}
