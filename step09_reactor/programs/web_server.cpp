#include <chrono>
#include <string>
#include <utility>

#include "server.hpp"

using namespace coop;

std::string response_to(const std::string& request) {
  const std::string message = "Received following request:\n\n" + request;
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(message.size()) + "\r\nConnection: close\r\n\r\n" + message;
}

/// Returns true at the blank line that ends a request, and if the request is too long. Lines may
/// also end with a bare \n, as those that you type in nc.
bool is_complete(const std::string& request) {
  return request.find("\n\r\n") != std::string::npos || request.find("\n\n") != std::string::npos ||
         request.size() > 8192;
}

/// Returns true if the client has nothing more to send: a GET request ends with its blank line.
bool is_whole_get(const std::string& request) {
  return request.starts_with("GET ") && request.find("\r\n\r\n") == request.size() - 4;
}

/// Reads a request, writes the response, and closes the connection. Article: "Stacked coroutines",
/// handleClient().
Coroutine<> answer_request(Stream client) {
  std::string request = co_await client.read(8192);
  while (!request.empty() && !is_complete(request)) {
    const std::string more = co_await client.read(8192);
    if (more.empty()) break;
    request += more;
  }

  co_await client.write(response_to(request));
  if (is_whole_get(request)) co_return;
  // If there were unread data when the socket is closed, the client could lose the response.
  co_await client.end_writing();
  std::string unread;
  do {
    unread = co_await client.read(8192);
  } while (!unread.empty());
}

/// Gives a client ten seconds.
Coroutine<> handle_client(Stream client, Event*) {
  return with_timeout(std::chrono::seconds(10), answer_request(std::move(client)));
}

int main(int argc, char** argv) {
  return serve(argc, argv, 8000, handle_client);
}
