// Build: -std=c++17
#include "../../step02_coroutines/interview.hpp"

int main() {
  Interview interview;
  std::cout << *interview.send("Ada") << '\n';
  interview.send("36");
}

// Mistake: the first call to a generator is send().
// It prints: And your age?
// It prints: You are Ada, 36.
