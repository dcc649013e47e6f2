#pragma once

#include <array>
#include <string>
#include <vector>

#include "server_process.hpp"

/// Asks once, on a connection of its own, and gives the answer. Throws if there is none within ten
/// seconds, or if it is not what answer.hpp says; headers may have been added.
std::string ask_once(const ServerProcess& server, bool keep);

/// Many clients at once: each asks, waits for the answer, and asks again, on the same connection if
/// it is kept, else on a new one. Each byte of each answer is looked at: it must be the one that
/// ask_once() gave. Only the time after "Date: " may differ.
class Clients {
 public:
  Clients(const ServerProcess& server, bool keep, int count);
  Clients(const Clients&) = delete;
  Clients& operator=(const Clients&) = delete;
  ~Clients();

  /// Asks so many times, and returns when all have been answered. Throws if one has not.
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
