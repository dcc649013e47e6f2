#include "shutdown.hpp"

#include <chrono>
#include <stdexcept>
#include <string>

namespace coop::detail {
namespace {

/// How long tasks may clean up before they are cancelled again, or destroyed.
constexpr Clock::duration patience = std::chrono::seconds(5);

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "an exception";
  }
}

/// Returns an exception with the text of `second`, and `first` nested in it.
std::exception_ptr chained(const std::exception_ptr& first,
                           const std::exception_ptr& second) noexcept {
  try {
    const std::string what = text_of(second);
    try {
      std::rethrow_exception(first);
    } catch (...) {
      std::throw_with_nested(std::runtime_error(what));
    }
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

void Shutdown::begin(std::exception_ptr error, std::exception_ptr cancellation) noexcept {
  const bool is_second = error && error_;
  if (is_second && attempts_ > 1) return;
  if (error) error_ = is_second ? chained(error_, error) : std::move(error);
  if (!root_.cancellation) root_.cancellation = cancellation ? cancellation : graceful_;
  if (attempts_ == 0 || is_second) cancel_all();
}

void Shutdown::cancel_all() noexcept {
  ++attempts_;
  end_of_attempt_ = reactor_.now() + patience;
  root_.host.cancel_all(root_.cancellation);
}

void Shutdown::try_again() noexcept {
  if (attempts_ == 1) {
    cancel_all();
  } else {
    root_.host.destroy_all();
  }
}

void Shutdown::end() {
  root_.cancellation = nullptr;
  attempts_ = 0;
  end_of_attempt_ = Clock::time_point::max();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace coop::detail
