#include <string>
#include <system_error>
#include <utility>

#include "server.hpp"

std::string answer_to(const std::string& request) {
  const std::string message = "Received following request:\n\n" + request;
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(message.size()) + "\r\nConnection: close\r\n\r\n" + message;
}

/// A GET that has come to its blank line: its client sends nothing more.
bool is_whole(const std::string& request) {
  return request.starts_with("GET ") && request.ends_with("\r\n\r\n");
}

/// Serves one client: reads once, answers, finishes. Article: "Stacked coroutines", handleClient(),
/// with what "Error handling" leaves out.
Coroutine<> handle_client(Server* server, Socket socket) {
  const CoSocket client(std::move(socket));
  const TaskId id = co_await get_task_id();
  server->idle.insert(id);
  try {
    const std::string data = co_await client.read(8192);
    server->idle.erase(id);
    co_await client.write(answer_to(data));
    if (!is_whole(data)) {
      co_await client.finish();
    }
  } catch (const std::system_error&) {
    server->idle.erase(id);  // a client that is gone, or silent, is no news
  }
}

int main(int argc, char** argv) {
  return serve(argc, argv, 8000, handle_client);
}
