#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace coop {

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

  /// Adds an element. There must be room for it.
  void push_back_reserved(T value) { slots_[tail_++ & mask_] = std::move(value); }

  void push_front(T value) {
    if (size() == capacity_) grow();
    slots_[--head_ & mask_] = std::move(value);
  }

  /// Removes the first element and returns it. The queue must not be empty.
  T pop_front() { return std::move(slots_[head_++ & mask_]); }

  /// Removes all elements. Those that are added next are side by side in memory.
  void clear() { head_ = tail_ = 0; }

  /// Removes the elements for which `condition` is true. The others keep their order.
  template <typename Condition>
  void erase_if(Condition condition) {
    std::size_t kept = head_;
    for (std::size_t i = head_; i != tail_; ++i) {
      if (!condition(slots_[i & mask_])) slots_[kept++ & mask_] = std::move(slots_[i & mask_]);
    }
    tail_ = kept;
  }

  /// Returns the element at the position `n` from the front. There must be one.
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
  std::size_t head_ = 0;  // both only grow; the mask finds the slot
  std::size_t tail_ = 0;
};

}  // namespace coop
