#pragma once

#include "generator.hpp"

/// The end of every generator, for range-`for`.
struct GeneratorEnd {};

/// Lets a range-`for` loop use a generator: `*` calls current(), `++` calls next(), and the loop
/// runs while valid() returns true. The generator must live as long as its iterator.
template <typename Out>
class GeneratorIterator {
 public:
  explicit GeneratorIterator(Generator<Out>& generator) : generator_(generator) {}

  const Out& operator*() const { return *generator_.current(); }
  void operator++() { generator_.next(); }
  bool operator!=(GeneratorEnd) const { return generator_.valid(); }

 private:
  Generator<Out>& generator_;
};

/// Runs the body to its first yield. A generator has only one pass, so a second loop throws; see
/// Generator::rewind().
template <typename Out>
GeneratorIterator<Out> begin(Generator<Out>& generator) {
  generator.rewind();
  return GeneratorIterator<Out>(generator);
}

/// Returns the end of the loop.
template <typename Out>
GeneratorEnd end(Generator<Out>&) {
  return {};
}
