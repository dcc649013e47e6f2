#include <chrono>
#include <string>
#include <system_error>
#include <utility>

#include "server.hpp"

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

/// Reads a request, writes the response, and closes the connection, all within ten seconds.
/// Article: "Stacked coroutines", handleClient(), with the error handling that it leaves out.
Coroutine<> handle_client(Socket client) {
  CoSocket socket(std::move(client));
  const Clock::time_point deadline = Clock::now() + std::chrono::seconds(10);
  socket.set_deadline(deadline);
  try {
    std::string data, request;
    do {
      data = co_await socket.read(8192);
      request += data;
    } while (!data.empty() && !is_complete(request));

    co_await socket.write(response_to(request));
    if (is_whole_get(request)) co_return;
    // If there were unread data when the socket is closed, the client could lose the response.
    socket.socket().shutdown_write();
    do {
      data = co_await socket.read(8192);
    } while (!data.empty() && Clock::now() < deadline);
  } catch (const std::system_error&) {
    // The client is lost or too slow.
  }
}

int main(int argc, char** argv) {
  serve(argc, argv, 8000, handle_client);
}
