#include "network.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "wrong.hpp"

extern "C" int __real_poll(pollfd* polled, nfds_t count, int timeout);

Network::Network(FuzzedDataProvider& choices) : choices_(choices), peers_(some_peers(choices)) {
  current = this;
}

Network::~Network() {
  current = nullptr;
}

Peer& Network::peer(int number) {
  Peer& peer = peers_.at(static_cast<std::size_t>(number - first_number));
  if (peer.is_closed) wrong("the server uses a descriptor that it has closed");
  return peer;
}

/// Returns true if a call must fail with an error that the caller has to expect.
bool Network::interferes() {
  return choices_.remaining_bytes() > 0 && choices_.ConsumeIntegral<unsigned char>() >= 0xf8;
}

int Network::listen(int number) {
  listener_ = number;
  return 0;
}

int Network::accept() {
  if (interferes()) return choices_.PickValueInArray({-EMFILE, -ECONNABORTED, -EINTR, -ENFILE});
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    if (!peers_[i].has_come || peers_[i].is_accepted) continue;
    peers_[i].is_accepted = true;
    idle_polls_ = 0;
    return first_number + static_cast<int>(i);
  }
  return -EAGAIN;
}

long Network::read(int number, void* data, std::size_t size) {
  Peer& from = peer(number);
  if (from.is_reset()) return -ECONNRESET;
  if (interferes()) return choices_.ConsumeBool() ? -EINTR : -EAGAIN;
  if (from.arrived.empty() && !from.has_ended) return -EAGAIN;
  const std::string some = from.arrived.substr(0, size);
  from.arrived.erase(0, some.size());
  std::memcpy(data, some.data(), some.size());
  from.reads.push_back(some);
  idle_polls_ = 0;
  return static_cast<long>(some.size());
}

long Network::send(int number, const void* data, std::size_t size) {
  Peer& to = peer(number);
  if (to.is_reset()) return -EPIPE;
  if (interferes()) return choices_.ConsumeBool() ? -EINTR : -EAGAIN;
  if (to.window == 0) return -EAGAIN;
  const std::size_t taken = std::min(size, to.window);
  to.received.append(static_cast<const char*>(data), taken);
  to.window -= taken;
  idle_polls_ = 0;
  return static_cast<long>(taken);
}

bool Network::close(int number) {
  if (number == listener_) listener_ = -1;
  if (!is_ours(number)) return false;
  peer(number).is_closed = true;
  return true;
}

/// Lets a client do the next thing. Returns false if there is none.
bool Network::happens_to(Peer& peer) {
  if (peer.is_closed || (!peer.has_come && listener_ < 0)) return false;
  if (!peer.has_come) return peer.has_come = true;
  if (peer.window == 0 && !peer.is_deaf && choices_.ConsumeBool()) {
    peer.window = choices_.ConsumeIntegralInRange<std::size_t>(1, 300);
  } else if (!peer.pieces.empty()) {
    peer.arrived += peer.pieces.front();
    peer.pieces.pop_front();
  } else if (!peer.has_ended && peer.end != End::stays) {
    peer.has_ended = true;
  } else if (peer.window == 0 && !peer.is_deaf) {
    peer.window = 100000;
  } else {
    return false;
  }
  return true;
}

/// Lets a client that the input chooses do the next thing, or another client if it has finished, or
/// stops the server. Returns false if nothing is left to happen.
bool Network::something_happens() {
  if (peers_.empty()) return false;
  if (choices_.remaining_bytes() > 0 && choices_.ConsumeIntegral<unsigned char>() == 0xff) {
    was_stopped_ = true;
    std::raise(SIGTERM);
    return true;
  }
  const auto chosen = choices_.ConsumeIntegralInRange<std::size_t>(0, peers_.size() - 1);
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    if (happens_to(peers_[(chosen + i) % peers_.size()])) return true;
  }
  return false;
}

short Network::state_of(int number) const {
  const auto waits = [](const Peer& peer) { return peer.has_come && !peer.is_accepted; };
  if (number == listener_) return std::any_of(peers_.begin(), peers_.end(), waits) ? POLLIN : 0;
  const Peer& peer = peers_.at(static_cast<std::size_t>(number - first_number));
  if (peer.is_reset()) return POLLIN | POLLOUT | POLLERR | POLLHUP;
  return static_cast<short>((!peer.arrived.empty() || peer.has_ended ? POLLIN : 0) |
                            (peer.window > 0 ? POLLOUT : 0));
}

int Network::ready(pollfd* polled, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    polled[i].revents = 0;
    if (polled[i].fd < 0 || (polled[i].fd != listener_ && !is_ours(polled[i].fd))) {
      __real_poll(polled + i, 1, 0);  // for example the signals of step 7
    } else {
      const int wanted = polled[i].events | POLLERR | POLLHUP;
      polled[i].revents = static_cast<short>(state_of(polled[i].fd) & wanted);
    }
  }
  return static_cast<int>(
      std::count_if(polled, polled + count, [](const pollfd& each) { return each.revents != 0; }));
}

/// Puts the clock forward to the deadline of poll(). If there is none, asks the server to end.
void Network::time_passes(int milliseconds) {
  if (milliseconds >= 0) {
    now_ += std::chrono::milliseconds(milliseconds);
  } else {
#ifndef NO_DEADLINES
    for (const Peer& peer : peers_) {
      if (peer.is_accepted && !peer.is_closed) wrong("a connection has no deadline");
    }
#endif
    if (std::exchange(was_asked_to_end_, true))
      wrong("the server waits although it was asked to end");
    std::raise(SIGTERM);
  }
}

int Network::poll(pollfd* polled, std::size_t count, int timeout) {
  if (++idle_polls_ > 1000) wrong("the server keeps polling and does nothing");
  if (interferes()) return -EINTR;
  something_happens();
  int found = ready(polled, count);
  while (found == 0 && timeout != 0 && something_happens()) found = ready(polled, count);
  if (found == 0 && timeout != 0) {
    time_passes(timeout);
    found = ready(polled, count);
  }
  return found;
}
