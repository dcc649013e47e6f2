#pragma once

#include <cstddef>
#include <optional>
#include <source_location>
#include <string>
#include <utility>

#include "core/wait.hpp"

namespace coop {

class Permit;

/// A number of permits, of which a task acquires one before it uses what is limited. Waiting tasks
/// get them in the order in which they came. It outlives the permits and the waits.
class Semaphore {
 public:
  /// `name` describes a permit in the report of a deadlock.
  explicit Semaphore(std::size_t permits, std::string name = "a permit")
      : free_(permits), name_(std::move(name)) {}
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  /// Waits until a permit is free and takes it. If the task is cancelled, it takes none.
  Coroutine<Permit> acquire(std::source_location where = std::source_location::current());

  /// Takes a permit if one is free now, and nothing otherwise.
  std::optional<Permit> try_acquire();

  /// Makes more permits free.
  void release(std::size_t permits = 1);

  /// Returns how many permits are free now.
  std::size_t free() const { return free_; }

 private:
  /// A task that waits for a permit. It has its place in the queue until it leaves acquire(), or
  /// its frame is destroyed: a permit that it has got and not taken is for the next one then.
  class Waiter final : public Event, public detail::Link {
   public:
    explicit Waiter(Semaphore& semaphore) : semaphore_(semaphore) { semaphore_.queue_.add(*this); }
    ~Waiter() override;

    void grant() {
      semaphore_.queue_.remove(*this);
      is_granted_ = true;
      wake_all();
    }
    void take() { is_granted_ = false; }

    bool is_ready() const override { return is_granted_; }
    std::string description() const override { return semaphore_.name_; }

   private:
    Semaphore& semaphore_;
    bool is_granted_ = false;
  };

  std::size_t free_;
  std::string name_;
  detail::List<Waiter> queue_;
};

/// A permit of a semaphore, which is released when this is destroyed.
class [[nodiscard]] Permit {
 public:
  /// Takes over a permit that has been acquired.
  explicit Permit(Semaphore& semaphore) : semaphore_(&semaphore) {}
  /// After this, `other` releases nothing.
  Permit(Permit&& other) noexcept : semaphore_(std::exchange(other.semaphore_, nullptr)) {}
  ~Permit() {
    if (semaphore_) semaphore_->release();
  }

  /// Keeps the permit taken when this is destroyed.
  void keep() { semaphore_ = nullptr; }

 private:
  Semaphore* semaphore_;
};

inline Semaphore::Waiter::~Waiter() {
  if (is_linked()) semaphore_.queue_.remove(*this);
  if (is_granted_) semaphore_.release();
}

inline Coroutine<Permit> Semaphore::acquire(std::source_location where) {
  if (free_ > 0) {
    --free_;
  } else {
    Waiter waiter(*this);
    co_await EventAwaiter(waiter, where);
    waiter.take();
  }
  co_return Permit(*this);
}

inline std::optional<Permit> Semaphore::try_acquire() {
  if (free_ == 0) return std::nullopt;
  --free_;
  return Permit(*this);
}

inline void Semaphore::release(std::size_t permits) {
  for (free_ += permits; free_ > 0 && !queue_.empty(); --free_) queue_.first()->grant();
}

}  // namespace coop
