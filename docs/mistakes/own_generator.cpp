// Mistake: a body that uses its own generator while it runs.
// Build: -std=c++17
// It complains: terminate called after throwing an instance of 'std::logic_error'
// It complains: what():  Cannot resume an already running generator
// It ends with: 134
#include "../../step01_generators/generator.hpp"

class Impatient final : public Generator<int> {
  std::optional<int> resume() override {
    next();  // it is this call that has to return first
    return 1;
  }
};

int main() {
  Impatient body;
  body.next();
}
