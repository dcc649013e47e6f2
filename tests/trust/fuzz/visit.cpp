#include "visit.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "wrong.hpp"

/// Takes up to four clients from the input.
Visit::Visit(FuzzedDataProvider& input)
    : choices(input), clients_(input.ConsumeIntegralInRange<std::size_t>(0, 4)) {
  for (Client& client : clients_) {
    client.end = choices.ConsumeEnum<End>();
    for (int pieces = choices.ConsumeIntegralInRange(0, 6); pieces > 0; --pieces) {
      const auto size = choices.ConsumeIntegralInRange<std::size_t>(0, 200);
      client.pieces.push_back(choices.ConsumeBytesAsString(size));
    }
  }
  current = this;
}

Visit::~Visit() {
  current = nullptr;
  for (const Client& client : clients_) ::close(client.socket);
}

/// Reads some of the data that the server has sent. Returns false if there is nothing to read. The
/// server closes the connection after a GET request, and so it doesn't read what follows.
bool Visit::takes(Client& client) {
  std::array<char, 300> data;
  if (client.is_at_end) return false;
  const ssize_t count =
      ::recvfrom(client.socket, data.data(), data.size(), MSG_DONTWAIT, nullptr, nullptr);
  if (count < 0 && errno == EAGAIN) return false;
  if (count < 0 && !was_stopped_ && !begins(client.sent, "GET "))
    wrong("a connection was closed with unread data");
  if (count > 0) client.received.append(data.data(), static_cast<std::size_t>(count));
  client.is_at_end = count <= 0;
  return true;
}

bool Visit::acts(Client& client) {
  if (!std::exchange(client.has_come, true)) {
    client.socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto* const address = reinterpret_cast<const sockaddr*>(&server);
    client.is_at_end = ::connect(client.socket, address, server_size) < 0;
    return true;
  }
  if (client.has_ended && client.end == End::resets) return false;
  if (choices.ConsumeBool() && takes(client)) return true;
  if (!client.pieces.empty()) {
    const std::string piece = std::move(client.pieces.front());
    client.pieces.pop_front();
    const ssize_t sent =
        ::sendto(client.socket, piece.data(), piece.size(), MSG_NOSIGNAL, nullptr, 0);
    if (sent > 0) client.sent += piece;
    return true;
  }
  if (client.end == End::stays || std::exchange(client.has_ended, true)) return takes(client);
  if (client.end == End::closes) return ::shutdown(client.socket, SHUT_WR), true;
  ::close(std::exchange(client.socket, -1));
  return client.is_at_end = true;
}

bool Visit::something_happens() {
  if (clients_.empty()) return false;
  idle_polls = 0;
  if (choices.remaining_bytes() > 0 && choices.ConsumeIntegral<unsigned char>() == 0xff) {
    was_stopped_ |= !was_asked_to_end_;
    stop();
    return true;
  }
  const auto chosen = choices.ConsumeIntegralInRange<std::size_t>(0, clients_.size() - 1);
  for (std::size_t i = 0; i < clients_.size(); ++i) {
    if (acts(clients_[(chosen + i) % clients_.size()])) return true;
  }
  return false;
}

void Visit::time_passes(int milliseconds) {
  if (milliseconds >= 0) {
    now += std::chrono::milliseconds(milliseconds);
    return;
  }
  for (const Client& client : clients_) {
    if (!client.is_at_end) wrong("a connection has no deadline");
  }
  if (was_asked_to_end_) wrong("the server waits although it was asked to end");
  stop();
}

/// Sends the signal once, because the server leaves a second one to the system.
void Visit::stop() {
  if (!std::exchange(was_asked_to_end_, true)) std::raise(SIGTERM);
}

void Visit::check() {
  for (Client& client : clients_) {
    while (client.has_come && takes(client)) {
    }
    if (!client.has_come && !was_stopped_) wrong("the server has ended too early");
    if (is_right(client, was_stopped_ || client.end == End::resets)) continue;
    std::fprintf(stderr, "sent:\n%s\nreceived:\n%s\n", client.sent.c_str(),
                 client.received.c_str());
    wrong("not the right response");
  }
}
