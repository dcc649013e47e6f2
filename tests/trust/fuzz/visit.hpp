#pragma once

#include <fuzzer/FuzzedDataProvider.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <chrono>
#include <deque>
#include <string>
#include <vector>

/// What a client does after it has sent everything.
enum class End { closes, resets, stays, kMaxValue = stays };

/// A client, and its connection.
struct Client {
  std::deque<std::string> pieces;  ///< the data to send
  End end = End::closes;
  int socket = -1;
  bool has_come = false, has_ended = false;
  bool is_at_end = false;  ///< it has received everything
  std::string sent, received;
};

/// The clients of a server. The input decides what they do.
class Visit {
 public:
  explicit Visit(FuzzedDataProvider& input);
  ~Visit();
  Visit(const Visit&) = delete;

  /// Lets a client do the next thing, or asks the server to end. Returns false if nothing is left.
  bool something_happens();

  /// Puts the clock forward. If the server waits without a deadline, asks it to end.
  void time_passes(int milliseconds);

  /// Checks what each client has received, after the server has ended.
  void check();

  FuzzedDataProvider& choices;
  sockaddr_un server{};  ///< its address, after it has called listen()
  socklen_t server_size = sizeof server;
  std::chrono::nanoseconds now{1'000'000'000};
  int idle_polls = 0;

  static inline Visit* current = nullptr;  ///< null: system_calls.cpp only calls the system

 private:
  bool acts(Client& client);
  bool takes(Client& client);
  void stop();

  std::vector<Client> clients_;
  bool was_asked_to_end_ = false;
  bool was_stopped_ = false;  // it was asked to end before all clients had finished
};

/// Returns true if a client has received the right response. A client that was cut off, because the
/// server was stopped or the client has reset the connection, may have received only a part of it.
/// See web_response.cpp and echo_response.cpp.
bool is_right(const Client& client, bool was_cut_off);

/// Returns true if `whole` begins with `part`.
inline bool begins(const std::string& whole, const std::string& part) {
  return whole.compare(0, part.size(), part) == 0;
}
