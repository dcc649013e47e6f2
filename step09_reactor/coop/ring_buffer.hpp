#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace coop {

/// A queue in a circle of slots: both ends cost the same, and in steady state nothing is allocated.
/// The number of slots is a power of two, so that a mask does for "behind the last comes the
/// first"; it doubles when they are full.
///
/// TrueAsync page, row 19 of the chapter's table.
template <typename T>
class RingBuffer {
 public:
  bool empty() const { return head_ == tail_; }
  std::size_t size() const { return tail_ - head_; }

  /// Makes room for `n`, so that as many fit in without an allocation.
  void reserve(std::size_t n) {
    while (capacity_ < n) grow();
  }

  void push_back(T value) {
    if (size() == capacity_) grow();
    push_back_reserved(std::move(value));
  }

  /// The same, where there is room for certain.
  void push_back_reserved(T value) { slots_[tail_++ & mask_] = std::move(value); }

  void push_front(T value) {
    if (size() == capacity_) grow();
    slots_[--head_ & mask_] = std::move(value);
  }

  /// Takes the first one out. There must be one.
  T pop_front() { return std::move(slots_[head_++ & mask_]); }

  /// The `n`-th from the front. There must be as many.
  T& operator[](std::size_t n) { return slots_[(head_ + n) & mask_]; }

 private:
  void grow() {
    const std::size_t bigger = capacity_ == 0 ? 16 : 2 * capacity_;
    auto slots = std::make_unique<T[]>(bigger);
    const std::size_t count = size();
    for (std::size_t i = 0; i < count; ++i) slots[i] = std::move((*this)[i]);
    slots_ = std::move(slots);
    capacity_ = bigger;
    mask_ = bigger - 1;
    head_ = 0;
    tail_ = count;
  }

  std::unique_ptr<T[]> slots_;
  std::size_t capacity_ = 0;
  std::size_t mask_ = 0;  // capacity_ - 1
  std::size_t head_ = 0;  // these two only count on; the mask finds the slot
  std::size_t tail_ = 0;
};

}  // namespace coop
