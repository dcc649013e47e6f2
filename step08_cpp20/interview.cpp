#include <iostream>
#include <string>

#include "generator.hpp"

/// Asks for a name and an age, and prints both.
Generator<std::string, std::string> interview() {
  const std::string name = co_yield "What is your name?";
  const std::string age = co_yield "And your age?";
  std::cout << "You are " << name << ", " << age << ".\n";
}

int main() {
  Generator<std::string, std::string> asked = interview();
  std::cout << *asked.current() << '\n';
  std::cout << *asked.send("Ada") << '\n';
  asked.send("36");
}
