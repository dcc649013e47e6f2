#include <iostream>
#include <optional>
#include <string>

#include "generator.hpp"
#include "var_dump.hpp"

class TwoWay final : public Generator<std::string, std::string> {
  enum class State { start, yielded1, yielded2 };
  State state_ = State::start;

  std::optional<std::string> resume(std::string sent) override {
    switch (state_) {
    case State::start:
      state_ = State::yielded1;
      return "yield1";  // sent = yield "yield1"
    case State::yielded1:
      var_dump(sent);
      state_ = State::yielded2;
      return "yield2";  // sent = yield "yield2"
    case State::yielded2:
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
