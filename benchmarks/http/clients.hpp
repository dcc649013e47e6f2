#pragma once

#include <array>
#include <string>
#include <vector>

#include "server_process.hpp"

/// Sends one request on a new connection and returns the response. Throws if there is none within
/// ten seconds, or if it differs from answer.hpp in anything but added headers.
std::string ask_once(const ServerProcess& server, bool keep);

/// Many clients at the same time. Each one sends a request, waits for the response, and starts
/// again, on the same connection if it is kept. Every response must be the same as that of
/// ask_once(), byte by byte, apart from the time after "Date: ".
class Clients {
 public:
  Clients(const ServerProcess& server, bool keep, int count);
  Clients(const Clients&) = delete;
  Clients& operator=(const Clients&) = delete;
  ~Clients();

  /// Sends that many requests and waits for all responses. Throws if one is missing or wrong.
  void ask(int requests);

 private:
  struct Client {
    int connection = -1;
    std::size_t size = 0;
    std::array<char, 1024> answer{};
  };

  void begin(Client& client);
  bool receive(Client& client);
  void check(const Client& client) const;

  const ServerProcess& server_;
  bool keep_;
  std::string expected_;
  int epoll_;
  int asked_ = 0;
  std::vector<Client> clients_;
};
