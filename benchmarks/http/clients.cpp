#include "clients.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "answer.hpp"

namespace {

constexpr int patience = 10;  // seconds without a response

std::string with_blank_date(std::string answer) {
  const std::string_view title = "\r\nDate: ", time = "Sun, 06 Nov 1994 08:49:37 GMT";
  const std::size_t at = answer.find(title);
  return at == std::string::npos ? answer
                                 : answer.replace(at + title.size(), time.size(), time.size(), '-');
}

void send_request(int connection) {
  const ssize_t sent = send(connection, request_text.data(), request_text.size(), MSG_NOSIGNAL);
  if (sent != static_cast<ssize_t>(request_text.size())) {
    throw std::system_error(errno, std::system_category(), "cannot send a request");
  }
}

/// Returns true for a whole and right response, with any headers.
bool is_answer(std::string_view text) {
  return text.starts_with("HTTP/1.1 200 OK\r\n") && text.ends_with(body) &&
         text.find("\r\nContent-Length: 64\r\n") < text.find("\r\n\r\n") &&
         text.find("\r\n\r\n") + 4 + body.size() == text.size();
}

}  // namespace

std::string ask_once(const ServerProcess& server, bool keep) {
  const int connection = server.connect();
  const timeval limit{patience, 0};
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  send_request(connection);
  std::string answer;
  std::array<char, 1024> buffer;
  ssize_t size = 0;
  while (!(keep && is_answer(answer)) &&
         (size = recv(connection, buffer.data(), buffer.size(), 0)) > 0) {
    answer.append(buffer.data(), static_cast<std::size_t>(size));
  }
  close(connection);
  if (size < 0) throw std::system_error(errno, std::system_category(), "no answer");
  if (!is_answer(answer)) throw std::runtime_error("not the right answer: " + answer);
  return answer;
}

Clients::Clients(const ServerProcess& server, bool keep, int count)
    : server_(server),
      keep_(keep),
      expected_(with_blank_date(ask_once(server, keep))),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      clients_(static_cast<std::size_t>(count)) {}

Clients::~Clients() {
  for (const Client& client : clients_) {
    if (client.connection >= 0) close(client.connection);
  }
  close(epoll_);
}

void Clients::begin(Client& client) {
  if (client.connection < 0) {
    client.connection = server_.connect();
    epoll_event event{EPOLLIN, {.ptr = &client}};
    epoll_ctl(epoll_, EPOLL_CTL_ADD, client.connection, &event);
  }
  client.size = 0;
  send_request(client.connection);
  ++asked_;
}

/// Receives the data that has arrived. Returns true if the response is complete.
bool Clients::receive(Client& client) {
  while (client.size < client.answer.size()) {
    const ssize_t count = recv(client.connection, client.answer.data() + client.size,
                               client.answer.size() - client.size, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return false;
    if (count < 0) throw std::system_error(errno, std::system_category(), "no answer");
    client.size += static_cast<std::size_t>(count);
    if (count == 0 || (keep_ && client.size >= expected_.size())) break;
  }
  check(client);
  return true;
}

void Clients::check(const Client& client) const {
  std::string_view answer(client.answer.data(), client.size);
  if (answer == expected_ || with_blank_date(std::string(answer)) == expected_) return;
  throw std::runtime_error("not the right answer: " + std::string(answer));
}

void Clients::ask(int requests) {
  asked_ = 0;
  for (Client& client : clients_) {
    if (asked_ < requests) begin(client);
  }
  std::array<epoll_event, 1024> events;
  for (int answered = 0; answered < requests;) {
    const int count = epoll_wait(epoll_, events.data(), events.size(), patience * 1000);
    if (count == 0) throw std::runtime_error("no answer within ten seconds");
    for (int i = 0; i < count; ++i) {
      Client& client = *static_cast<Client*>(events[static_cast<std::size_t>(i)].data.ptr);
      if (!receive(client)) continue;
      ++answered;
      if (!keep_) {
        close(client.connection);
        client.connection = -1;
      }
      if (asked_ < requests) begin(client);
    }
  }
}
