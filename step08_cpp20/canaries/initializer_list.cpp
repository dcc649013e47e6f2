// Shape: a std::initializer_list, in an expression that awaits.
// Write instead: const std::vector<int> numbers = {1, 2}; co_await sum(numbers);
#include <initializer_list>

#include "canary.hpp"

Answer<int> sum(std::initializer_list<int> numbers) {
  int result = 0;
  for (const int number : numbers) result += number;
  return Answer(result);
}

int got = 0;

Body body() {
  got = co_await sum({1, 2});
}

int main() {
  body().run();
  return got == 3 ? 0 : 1;
}
