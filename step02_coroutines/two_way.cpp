#include <optional>
#include <string>

#include "generator.hpp"
#include "usage.hpp"
#include "var_dump.hpp"

/// Hands out two strings and prints what it is sent for them. Article: "Coroutines", gen().
class TwoWay final : public Generator<std::string, std::string> {
  enum class At { start, first, second } at_ = At::start;

  std::optional<std::string> resume(std::string sent) override {
    switch (at_) {
    case At::start:
      at_ = At::first;
      return "yield1";  // ret = yield "yield1"
    case At::first:
      var_dump(sent);
      at_ = At::second;
      return "yield2";  // ret = yield "yield2"
    case At::second:
      var_dump(sent);
    }
    return std::nullopt;
  }
};

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "two_way   (prints what goes into a coroutine and comes out)");

  TwoWay gen;
  var_dump(gen.current());
  var_dump(gen.send("ret1"));
  var_dump(gen.send("ret2"));
}
