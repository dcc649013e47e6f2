#include <iostream>
#include <optional>
#include <string>

#include "generator.hpp"
#include "var_dump.hpp"

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

int main() {
  std::cout << "A\n";
  TwoWay a;
  a.rewind();
  a.rewind();
  var_dump(a.current());
  var_dump(a.send("ret1"));

  std::cout << "B\n";
  TwoWay b;
  b.next();
  var_dump(b.current());
  var_dump(b.send("ret2"));
}
