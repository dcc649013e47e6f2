#pragma once

#include <poll.h>

#include <array>
#include <cstddef>
#include <functional>
#include <iostream>
#include <memory>
#include <vector>

#include "client.hpp"

/// Many clients at once: in each place one after the other.
class Crowd {
 public:
  struct Count {
    long right = 0, wrong = 0;
  };

  Crowd(long clients, std::size_t places, int port)
      : clients_(clients), port_(port), places_(places), polled_(places) {
    for (auto& place : places_) fill(place);
  }

  /// Goes on until only silent clients are left, or nothing happens. Says after each step how many
  /// have ended.
  void run(const std::function<void(long ended)>& report) {
    while (open() > silent_ && step()) report(ended_);
  }

  /// Goes on until nobody is left. Who waits in vain is wrong.
  void run_to_end() {
    while (open() > 0 && step()) {
    }
    for (auto& place : places_) {
      if (place) end(place);
    }
  }

  long open() const { return started_ - ended_; }
  const Count& count(Manner manner) const { return counts_[static_cast<std::size_t>(manner)]; }

 private:
  /// Lets all who can go on. False if nobody could for 20 seconds.
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
    if (started_ == clients_) return;
    place = std::make_unique<Client>(started_++, port_);
    if (place->manner() == Manner::silent) ++silent_;
  }

  void end(std::unique_ptr<Client>& place) {
    Count& count = counts_[static_cast<std::size_t>(place->manner())];
    ++(place->is_right() ? count.right : count.wrong);
    if (!place->is_right() && ++complaints_ <= 10) {
      std::cerr << "wrong: client " << place->serial() << " got " << place->got().size()
                << " bytes and error " << place->error() << ":\n"
                << place->got() << '\n';
    }
    if (place->manner() == Manner::silent) --silent_;
    ++ended_;
    place.reset();
    fill(place);
  }

  /// A silent client leaves when so many have come after it.
  static constexpr long patience = 5000;

  const long clients_;
  const int port_;
  long started_ = 0, ended_ = 0, silent_ = 0;
  int complaints_ = 0;
  std::vector<std::unique_ptr<Client>> places_;
  std::vector<pollfd> polled_;
  std::array<Count, manner_names.size()> counts_{};
};
