#include <iostream>
#include <optional>

#include "generator.hpp"
#include "usage.hpp"

/// Says when it runs. Article: "Generators as interruptible functions".
class OneAndTwo final : public Generator<int> {
  enum class At { start, yielded } at_ = At::start;
  int i_ = 0;

  std::optional<int> resume() override {
    switch (at_) {
    case At::start:
      for (i_ = 1; i_ <= 2; ++i_) {
        std::cout << "running\n";
        at_ = At::yielded;
        return i_;  // yield i
      case At::yielded:;
      }
    }
    std::cout << "finished\n";
    return std::nullopt;
  }
};

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "interruptible   (shows when a generator's code runs)");

  OneAndTwo numbers;
  std::cout << "nothing has run yet\n";
  for (numbers.rewind(); numbers.valid(); numbers.next()) {
    std::cout << *numbers.current() << '\n';
  }
}
