#pragma once

#include <string>
#include <string_view>

/// The request of the client.
constexpr std::string_view request_text = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// Returns true if this is a whole request.
inline bool is_complete(std::string_view request) {
  return request.find("\r\n\r\n") != std::string_view::npos;
}

/// Every server composes its response in this way, byte by byte, as the web servers of the steps
/// do.
inline std::string response_to(const std::string& request, bool keep) {
  const std::string message = "Received following request:\n\n" + request;
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(message.size()) + (keep ? "\r\n\r\n" : "\r\nConnection: close\r\n\r\n") +
         message;
}
