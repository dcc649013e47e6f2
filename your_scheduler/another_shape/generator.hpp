#pragma once

// A solution in another shape than ours: two flags instead of a count, and one function through
// which all resumes go, except the first.

#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

struct Nothing {};

template <typename Out, typename In = Nothing>
class Generator {
 public:
  virtual ~Generator() = default;

  void rewind() {
    get_going();
    if (is_past_first_) throw std::logic_error("too late to rewind");
  }
  bool valid() { return current().has_value(); }
  const std::optional<Out>& current() {
    get_going();
    return last_;
  }
  std::optional<Out> take() { return std::move(const_cast<std::optional<Out>&>(current())); }
  void next() { send(In()); }

  const std::optional<Out>& send(In answer) {
    return step([&] { return resume(std::move(answer)); });
  }
  const std::optional<Out>& throw_into(std::exception_ptr error) {
    if (!valid()) std::rethrow_exception(error);
    return step([&] { return resume_with_exception(error); });
  }

 private:
  bool is_fresh_ = true, is_past_first_ = false;
  std::optional<Out> last_;

  virtual std::optional<Out> resume(In answer) = 0;
  virtual std::optional<Out> resume_with_exception(std::exception_ptr error) {
    std::rethrow_exception(error);
  }

  void get_going() {
    if (std::exchange(is_fresh_, false)) last_ = resume(In());
  }
  template <typename Entry>
  const std::optional<Out>& step(Entry enter) {
    get_going();
    if (!last_) return last_;
    is_past_first_ = true;
    last_ = std::nullopt;
    last_ = enter();
    return last_;
  }
};
