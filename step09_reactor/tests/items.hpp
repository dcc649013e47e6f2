#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "coop/for_each.hpp"
#include "probe.hpp"

/// What a run of for_each() looked like.
struct Seen {
  int active = 0;
  int most = 0;
  std::vector<int> begun;
  std::vector<int> ended;
};

class Active {
 public:
  Active(Seen* seen, int item) : seen_(seen) {
    seen_->begun.push_back(item);
    seen_->most = std::max(seen_->most, ++seen_->active);
  }
  Active(const Active&) = delete;
  ~Active() { --seen_->active; }

 private:
  Seen* seen_;
  Living living_;
};

/// Takes as many milliseconds as its number says.
inline coop::Coroutine<> nap(Seen* seen, int item) {
  const Active active(seen, item);
  co_await coop::sleep(std::chrono::milliseconds(item));
  seen->ended.push_back(item);
}

inline std::vector<int> numbers(int first, int last) {
  std::vector<int> result;
  for (int i = first; i <= last; ++i) result.push_back(i);
  return result;
}

/// Says whether items are still being worked on when the iteration is over.
inline coop::Coroutine<> report_end(Log* out, Seen* seen, coop::Coroutine<> iteration) {
  co_await report(out, "all", std::move(iteration));
  out->push_back(std::to_string(seen->active) + " active");
}
