#pragma once

namespace coop::detail {

/// The base of the elements of a List: its neighbours. So a list needs no memory of its own, and an
/// element is in at most one list.
class Link {
 public:
  Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  bool is_linked() const noexcept { return next_; }

 private:
  template <typename T>
  friend class List;

  Link* previous_ = nullptr;
  Link* next_ = nullptr;
};

/// Objects in the order in which they were added. Adding and removing take constant time. The list
/// does not own its elements.
template <typename T>
class List {
 public:
  bool empty() const noexcept { return !first_; }
  T* first() const noexcept { return static_cast<T*>(first_); }
  T* last() const noexcept { return first_ ? static_cast<T*>(first_->previous_) : nullptr; }

  /// For `for (T& element : list)`. The body of the loop must not remove the element.
  struct Iterator {
    T& operator*() const { return static_cast<T&>(*at); }
    void operator++() { at = at->next_ == list->first_ ? nullptr : at->next_; }
    bool operator==(const Iterator&) const = default;

    const List* list;
    Link* at;
  };
  Iterator begin() const { return {this, first_}; }
  Iterator end() const { return {this, nullptr}; }

  void add(T& element) noexcept {
    Link& link = element;
    if (!first_) first_ = link.previous_ = &link;
    link.next_ = first_;
    link.previous_ = first_->previous_;
    link.previous_->next_ = first_->previous_ = &link;
  }

  void remove(T& element) noexcept {
    Link& link = element;
    link.previous_->next_ = link.next_;
    link.next_->previous_ = link.previous_;
    if (first_ == &link) first_ = link.next_ == &link ? nullptr : link.next_;
    link.previous_ = link.next_ = nullptr;
  }

 private:
  Link* first_ = nullptr;  // a circle: the one before the first is the last
};

}  // namespace coop::detail
