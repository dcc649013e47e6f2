#include "interview.hpp"

int main() {
  Interview interview;
  std::cout << *interview.current() << '\n';
  std::cout << *interview.send("Ada") << '\n';
  interview.send("36");
}
