#include <random>

#include "program.hpp"

namespace {

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}

  /// From 0 to `n` - 1. The distributions of the library differ from one to the other.
  unsigned below(unsigned n) { return static_cast<unsigned>(random_()) % n; }

  bool one_in(unsigned n) { return below(n) == 0; }

 private:
  std::mt19937 random_;
};

/// A program that has not all of them uses the others more often. A message needs two operations,
/// and comes about by chance seldom enough.
std::vector<Op> some_of(Dice& dice, const std::vector<Op>& operations) {
  std::vector<Op> some{Op::yield};
  for (const Op op : operations) {
    if (op == Op::send || op == Op::receive || !dice.one_in(3)) some.push_back(op);
  }
  return some;
}

bool ends_body(Op op) {
  return op == Op::give || op == Op::raise || op == Op::finish;
}

Op random_op(Dice& dice, const std::vector<Op>& operations, unsigned bodies_behind) {
  Op op = Op::yield;
  do {
    op = operations[dice.below(static_cast<unsigned>(operations.size()))];
  } while (ends_body(op) && !dice.one_in(4));
  return names_body(op) && bodies_behind == 0 ? Op::yield : op;
}

/// Numbers are small, so that they often hit.
Statement random_statement(Dice& dice, Op op, unsigned body, unsigned bodies_behind) {
  Statement statement;
  statement.op = op;
  if (names_body(op)) {
    statement.number = static_cast<int>(body + 1 + dice.below(bodies_behind));
  } else if (op == Op::kill || op == Op::wait) {
    statement.number = static_cast<int>(dice.below(7));
  } else if (has_number(op)) {
    statement.number = static_cast<int>(1 + dice.below(9));
  }
  if (has_name(op)) statement.name = static_cast<char>('a' + dice.below(2));
  if (may_throw(op)) statement.guarded = !dice.one_in(3);
  return statement;
}

}  // namespace

/// The first body begins with some tasks, so that there are others to meet.
Program random_program(unsigned seed, const std::vector<Op>& operations, bool any_order) {
  Dice dice(seed);
  Program program;
  if (any_order && dice.one_in(2)) program.order = seed;
  const std::vector<Op> used = some_of(dice, operations);
  const unsigned count = 2 + dice.below(4);
  program.bodies.resize(count);
  for (unsigned body = 0; body < count; ++body) {
    const unsigned behind = count - body - 1;
    const unsigned length = body == 0 ? 4 + dice.below(5) : dice.below(8);
    for (unsigned i = 0; i < length; ++i) {
      Op op = random_op(dice, used, behind);
      if (body == 0 && i < 3) op = dice.one_in(3) ? Op::spawn : Op::actor;
      program.bodies[body].push_back(random_statement(dice, op, body, behind));
    }
  }
  return program;
}
