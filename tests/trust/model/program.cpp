#include "program.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>

namespace {

constexpr std::array words{"yield", "id",   "spawn",   "actor", "kill", "wait",  "exec",
                           "fork",  "send", "receive", "call",  "give", "raise", "finish"};

bool is_one_of(Op op, std::initializer_list<Op> ops) {
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

bool has_name(Op op) {
  return is_one_of(op, {Op::actor, Op::send});
}

bool has_number(Op op) {
  return !is_one_of(op, {Op::yield, Op::id, Op::fork, Op::receive, Op::finish});
}

/// Returns a number from 0 to `n` - 1. The distributions of the libraries differ.
unsigned below(unsigned n, std::mt19937& random) {
  return static_cast<unsigned>(random()) % n;
}

/// Leaves out some operations, so that the program uses the others more often.
std::vector<Op> some_of(const std::vector<Op>& operations, std::mt19937& random) {
  std::vector<Op> some{Op::yield};
  for (const Op op : operations) {
    if (is_one_of(op, {Op::send, Op::receive}) || below(3, random) > 0) some.push_back(op);
  }
  return some;
}

Op random_op(const std::vector<Op>& operations, std::mt19937& random) {
  const Op op = operations[below(static_cast<unsigned>(operations.size()), random)];
  const bool is_end = is_one_of(op, {Op::give, Op::raise, Op::finish});
  return is_end && below(4, random) > 0 ? random_op(operations, random) : op;
}

/// Numbers of tasks and names are few, so that they often exist.
Statement random_statement(Op op, unsigned body, unsigned bodies, std::mt19937& random) {
  const bool uses_body = is_one_of(op, {Op::spawn, Op::actor, Op::exec, Op::call});
  if (uses_body && body + 1 == bodies) return {};
  Statement statement{op};
  statement.name = static_cast<char>('a' + below(2, random));
  const unsigned least = uses_body ? body + 1 : is_one_of(op, {Op::kill, Op::wait}) ? 0 : 1;
  const unsigned count = uses_body ? bodies - body - 1 : 7;
  statement.number = static_cast<int>(least + below(count, random));
  statement.guarded = is_one_of(op, {Op::kill, Op::wait, Op::call}) && below(3, random) > 0;
  return statement;
}

}  // namespace

std::string text_of(const Statement& statement) {
  std::string text = statement.guarded ? "try " : "";
  text += words[static_cast<std::size_t>(statement.op)];
  if (has_name(statement.op)) text += std::string(" ") + statement.name;
  if (has_number(statement.op)) text += ' ' + std::to_string(statement.number);
  return text;
}

std::string text_of(const Program& program) {
  std::string text;
  for (std::size_t i = 0; i < program.size(); ++i) {
    text += "body " + std::to_string(i) + '\n';
    for (const Statement& statement : program[i]) text += "  " + text_of(statement) + '\n';
  }
  return text;
}

/// The first body begins with new tasks. The sizes grow with the number of bits of the seed.
Program random_program(unsigned seed, const std::vector<Op>& operations) {
  std::mt19937 random(seed);
  unsigned size = 1;
  for (unsigned rest = seed; rest > 3 && size < 8; rest /= 4) ++size;
  const std::vector<Op> used = some_of(operations, random);
  const unsigned bodies = 2 + below((size + 1) / 2, random);
  Program program(bodies);
  for (unsigned body = 0; body < bodies; ++body) {
    const unsigned length =
        body == 0 ? size / 2 + 1 + below(size / 2 + 1, random) : below(size, random);
    for (unsigned i = 0; i < length; ++i) {
      Op op = random_op(used, random);
      if (body == 0 && i < (size + 1) / 3) op = below(3, random) == 0 ? Op::spawn : Op::actor;
      program[body].push_back(random_statement(op, body, bodies, random));
    }
  }
  return program;
}
