#include <string>

#include "generator.hpp"
#include "var_dump.hpp"

/// Hands out two strings and prints what it is sent for them. Article: "Coroutines", gen().
Generator<std::string, std::string> two_way() {
  std::string ret = co_yield "yield1";
  var_dump(ret);
  ret = co_yield "yield2";
  var_dump(ret);
}

int main() {
  Generator<std::string, std::string> gen = two_way();
  var_dump(gen.current());
  var_dump(gen.send("ret1"));
  var_dump(gen.send("ret2"));
}
