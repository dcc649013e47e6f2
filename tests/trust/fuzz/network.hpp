#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "peer.hpp"

struct pollfd;

/// The network, as the bytes of an input have it, in place of the system's: the linker's --wrap
/// puts it in front of the system calls. Nothing is left to chance, and no time passes: when
/// nothing else can happen, the clock is put forward to the next deadline. When there is none
/// either, the server is asked to end, and if it still waits then, it would wait for ever.
class Network {
 public:
  explicit Network(FuzzedDataProvider& choices);
  ~Network();
  Network(const Network&) = delete;

  const std::vector<Peer>& peers() const { return peers_; }

  /// Has the server been asked to end while clients were there?
  bool was_stopped() const { return was_stopped_; }

  // The system calls. Errors are returned as in the kernel: -ECONNRESET.
  int listen(int number);
  int accept();
  long read(int number, void* data, std::size_t size);
  long send(int number, const void* data, std::size_t size);
  int poll(pollfd* polled, std::size_t count, int timeout);
  bool close(int number);

  static bool is_ours(int number) { return number >= first_number; }
  std::chrono::nanoseconds now() const { return now_; }

  static inline Network* current = nullptr;  ///< null: the system's own

 private:
  static constexpr int first_number = 1000;  // of descriptors; the system gives smaller ones

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
