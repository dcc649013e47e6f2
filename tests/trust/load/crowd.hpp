#pragma once

#include <poll.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "client.hpp"

struct Options {
  long requests = 20000;
  std::size_t connections = 500;
  bool polite = false;  ///< no client misbehaves
  std::string server;
};

/// Many clients at the same time. When a client has finished, the next one takes its place.
class Crowd {
 public:
  struct Count {
    long right = 0, wrong = 0;
  };

  Crowd(const Options& options, int port)
      : options_(options), port_(port), places_(options.connections), polled_(options.connections) {
    for (auto& place : places_) fill(place);
  }

  /// Runs until only silent clients are left, or until nothing happens. Calls `report` after each
  /// step with the number of clients that have finished.
  void run(const std::function<void(long ended)>& report) {
    while (started_ - ended_ > silent_ && step()) report(ended_);
  }

  /// Closes all connections. Clients that have not finished, apart from the silent ones, are wrong.
  void finish() {
    for (auto& place : places_) {
      if (!place) continue;
      if (place->manner() == Manner::silent) place->leave();
      end(place);
    }
  }

  const Count& count(Manner manner) const { return counts_[static_cast<std::size_t>(manner)]; }
  long sent_again() const { return sent_again_; }
  Client::Clock::duration slowest() const { return slowest_; }

 private:
  /// Waits until a client can continue, and runs it. Returns false if none can for 20 seconds.
  bool step() {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      polled_[i] = places_[i] ? places_[i]->wish() : pollfd{-1, 0, 0};
    }
    if (::poll(polled_.data(), polled_.size(), 20000) <= 0) return false;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (!places_[i]) continue;
      Client& client = *places_[i];
      if (polled_[i].revents != 0) client.act(polled_[i].revents);
      if (client.manner() == Manner::silent && started_ - client.serial() > patience)
        client.leave();
      if (client.is_done()) end(places_[i]);
    }
    return true;
  }

  void fill(std::unique_ptr<Client>& place) {
    if (started_ == options_.requests) return;
    const Manner manner = options_.polite ? Manner::polite : manner_of(started_);
    place = std::make_unique<Client>(started_++, manner, port_);
    if (place->manner() == Manner::silent) ++silent_;
  }

  void end(std::unique_ptr<Client>& place) {
    Count& count = counts_[static_cast<std::size_t>(place->manner())];
    const bool right = place->is_right();
    ++(right ? count.right : count.wrong);
    if (!right && ++complaints_ <= 10) {
      std::cerr << "wrong: client " << place->serial() << ", error " << place->error() << ", "
                << place->response().size() << " bytes of response:\n"
                << place->response() << '\n';
    }
    sent_again_ += place->sent_again();
    slowest_ = std::max(slowest_, place->age());
    if (place->manner() == Manner::silent) --silent_;
    ++ended_;
    place.reset();
    fill(place);
  }

  /// The number of clients that start after a silent client until it finishes.
  static constexpr long patience = 5000;

  const Options& options_;
  const int port_;
  long started_ = 0, ended_ = 0, silent_ = 0, sent_again_ = 0;
  int complaints_ = 0;
  Client::Clock::duration slowest_{};
  std::vector<std::unique_ptr<Client>> places_;
  std::vector<pollfd> polled_;
  std::array<Count, manner_names.size()> counts_{};
};
