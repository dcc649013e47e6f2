#include "event.hpp"

#include <cassert>

namespace coop {

Event::~Event() {
  assert(waits_.empty() && "an event was destroyed while a task waits for it");
}

void Event::add(detail::Wait& wait) {
  const bool is_first = waits_.empty();
  waits_.add(wait);
  try {
    if (is_first) start();
  } catch (...) {
    waits_.remove(wait);
    throw;
  }
}

void Event::remove(detail::Wait& wait) noexcept {
  if (!wait.is_linked()) return;
  waits_.remove(wait);
  if (waits_.empty()) stop();
}

}  // namespace coop
