#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace coop::detail {

/// A queue in a circle of slots. Adding and removing at both ends take constant time and allocate
/// nothing, unless the slots are full: then their number doubles. It is a power of two, so a mask
/// finds the slot of an index.
///
/// TrueAsync: run queue.
template <typename T>
class RingBuffer {
 public:
  bool empty() const { return head_ == tail_; }
  std::size_t size() const { return tail_ - head_; }

  /// Makes room for `n` elements.
  void reserve(std::size_t n) {
    while (capacity_ < n) grow();
  }

  void push_back(T value) {
    if (size() == capacity_) grow();
    push_back_reserved(std::move(value));
  }

  /// Adds an element. There must be room for it. Returns its place, which stays the same until it
  /// is removed.
  std::uint32_t push_back_reserved(T value) {
    slots_[tail_ & mask_] = std::move(value);
    return static_cast<std::uint32_t>(tail_++);
  }

  std::uint32_t push_front(T value) {
    if (size() == capacity_) grow();
    slots_[--head_ & mask_] = std::move(value);
    return static_cast<std::uint32_t>(head_);
  }

  /// Returns the element at a place, or null if the place is no longer in use.
  T* at_place(std::uint32_t place) {
    const bool is_used = place - static_cast<std::uint32_t>(head_) < size();
    return is_used ? &slots_[place & mask_] : nullptr;
  }

  /// Removes the first element and returns it. The queue must not be empty.
  T pop_front() { return std::move(slots_[head_++ & mask_]); }

  /// Removes all elements. Those that are added next are side by side in memory.
  void clear() { head_ = tail_ = 0; }

  /// Returns the element at the position `n` from the front. There must be one.
  T& operator[](std::size_t n) { return slots_[(head_ + n) & mask_]; }

 private:
  void grow() {
    const std::size_t bigger = capacity_ == 0 ? 16 : 2 * capacity_;
    auto slots = std::make_unique<T[]>(bigger);
    for (std::size_t i = head_; i != tail_; ++i) {
      slots[i & (bigger - 1)] = std::move(slots_[i & mask_]);
    }
    slots_ = std::move(slots);
    capacity_ = bigger;
    mask_ = bigger - 1;
  }

  std::unique_ptr<T[]> slots_;
  std::size_t capacity_ = 0;
  std::size_t mask_ = 0;  // capacity_ - 1
  std::size_t head_ = 0;  // both only grow; the mask finds the slot
  std::size_t tail_ = 0;
};

}  // namespace coop::detail
