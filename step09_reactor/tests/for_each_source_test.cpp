#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "items.hpp"

using namespace coop;

namespace {

/// A range of three whose iterator runs code of ours.
class Source {
 public:
  using Hook = std::function<void(const char*, int)>;
  struct End {};
  class Iterator {
   public:
    using value_type = int;
    using difference_type = std::ptrdiff_t;
    Iterator(Hook hook, int at) : hook_(std::move(hook)), at_(at) {}
    int operator*() const {
      hook_("get", at_);
      return at_;
    }
    Iterator& operator++() {
      hook_("next", at_);
      ++at_;
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(End) const {
      hook_("end?", at_);
      return at_ == 4;
    }

   private:
    Hook hook_;
    int at_;
  };

  explicit Source(Hook hook) : hook_(std::move(hook)) {}
  Iterator begin() const { return Iterator(hook_, 1); }
  End end() const { return {}; }

 private:
  Hook hook_;
};

}  // namespace

TEST_CASE_METHOD(World, "for_each: the source may run any code", "[step09]") {
  Seen seen;
  const auto hook = [this](const char* what, int) {
    if (what == std::string("next")) spawn(say(&log, "spawned"), Priority::high);
  };
  const auto item = [&seen](int i) { return nap(&seen, i); };
  scheduler.run(for_each(Source(hook), item, 2));
  REQUIRE(seen.ended == numbers(1, 3));
  REQUIRE(seen.most == 2);
  REQUIRE(log == Log{"spawned", "spawned", "spawned"});
}

TEST_CASE_METHOD(World, "for_each: an error of the source stops it, wherever it comes",
                 "[step09]") {
  for (const std::string where : {"get", "next", "end?"}) {
    for (int at = 1; at <= 4; ++at) {
      for (const std::size_t limit : {1U, 2U}) {
        if (at == 4 && where != "end?") continue;
        Seen seen;
        log.clear();
        bool thrown = false;  // it comes once, to whoever asks first
        const auto hook = [&](const char* what, int number) {
          if (what != where || number != at || std::exchange(thrown, true)) return;
          throw std::runtime_error("from the source");
        };
        const auto item = [&seen](int i) { return nap(&seen, i); };
        scheduler.spawn(report(&log, "all", for_each(Source(hook), item, limit)));
        INFO(where << " at " << at << ", limit " << limit);
        REQUIRE(run(scheduler) == "nothing");
        REQUIRE(log == Log{"all: from the source"});
        REQUIRE(seen.active == 0);
      }
    }
  }
}
