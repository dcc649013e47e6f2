#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "peer.hpp"

struct pollfd;

/// A network that takes all decisions from the input of the fuzzer. The linker's option --wrap puts
/// it in the place of the system calls. No time passes: if nothing else can happen, the clock is
/// put forward to the next deadline. If there is no deadline, the server is asked to end.
class Network {
 public:
  explicit Network(FuzzedDataProvider& choices);
  ~Network();
  Network(const Network&) = delete;

  const std::vector<Peer>& peers() const { return peers_; }

  /// Returns true if the server was asked to end before all clients had finished.
  bool was_stopped() const { return was_stopped_; }

  // The system calls. They return errors like the kernel, for example -ECONNRESET.
  int listen(int number);
  int accept();
  long read(int number, void* data, std::size_t size);
  long send(int number, const void* data, std::size_t size);
  int poll(pollfd* polled, std::size_t count, int timeout);
  bool close(int number);

  static bool is_ours(int number) { return number >= first_number; }
  std::chrono::nanoseconds now() const { return now_; }

  static inline Network* current = nullptr;  ///< null: the network of the system

 private:
  static constexpr int first_number = 1000;  // of file descriptors; those of the system are smaller

  Peer& peer(int number);
  bool something_happens();
  bool happens_to(Peer& peer);
  bool interferes();
  int ready(pollfd* polled, std::size_t count);
  short state_of(int number) const;
  void time_passes(int milliseconds);

  FuzzedDataProvider& choices_;
  std::vector<Peer> peers_;
  int listener_ = -1;
  bool was_stopped_ = false;
  bool was_asked_to_end_ = false;
  int idle_polls_ = 0;
  std::chrono::nanoseconds now_{1000000000};
};
