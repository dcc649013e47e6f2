#include <iostream>
#include <stdexcept>
#include <string>

#include "generator.hpp"
#include "var_dump.hpp"

/// Yields foo, then bar. Article: "Cooperative multitasking", the gen() after the Task class.
Generator<std::string, std::string> foo_bar() {
  co_yield "foo";
  co_yield "bar";
}

void send_to_a_fresh_one() {
  std::cout << "A: send() on a fresh generator\n";
  Generator<std::string, std::string> gen = foo_bar();
  var_dump(gen.send("something"));
}

void rewind_then_send() {
  std::cout << "B: explicit rewind() then send() on another fresh generator\n";
  Generator<std::string, std::string> gen = foo_bar();
  gen.rewind();
  var_dump(gen.send("something"));
}

void current_then_send() {
  std::cout << "C: current() first, then send()\n";
  Generator<std::string, std::string> gen = foo_bar();
  var_dump(gen.current());
  var_dump(gen.send("something"));
  var_dump(gen.valid());
  var_dump(gen.send("something"));
  var_dump(gen.valid());
}

void rewind_twice() {
  std::cout << "D: rewind() at the first yield is a no-op; rewind() after it throws\n";
  Generator<std::string, std::string> gen = foo_bar();
  gen.rewind();
  gen.rewind();
  var_dump(gen.current());
  gen.next();
  try {
    gen.rewind();
  } catch (const std::logic_error& error) {
    std::cout << "Exception: " << error.what() << '\n';
  }
}

int main() {
  send_to_a_fresh_one();
  rewind_then_send();
  current_then_send();
  rewind_twice();
}
