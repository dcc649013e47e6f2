#include "program.hpp"

#include <algorithm>
#include <array>
#include <istream>
#include <stdexcept>

namespace {

constexpr std::array<const char*, op_count> words{"yield", "id",   "spawn", "actor", "kill",
                                                  "wait",  "exec", "fork",  "send",  "receive",
                                                  "call",  "give", "raise", "finish"};

bool is_one_of(Op op, std::initializer_list<Op> ops) {
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

[[noreturn]] void reject(const std::string& why) {
  throw std::runtime_error("This is no program: " + why);
}

Op read_op(const std::string& word) {
  const auto* const found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) reject(word + "?");
  return static_cast<Op>(found - words.begin());
}

Statement read_statement(std::istream& in, std::string word) {
  Statement statement;
  statement.guarded = word == "try";
  if (statement.guarded) in >> word;
  statement.op = read_op(word);
  if (has_name(statement.op)) in >> statement.name;
  if (has_number(statement.op)) in >> statement.number;
  if (!in) reject("something is missing after " + word);
  if (statement.guarded && !may_throw(statement.op)) reject("try " + word);
  return statement;
}

void check(const Program& program) {
  const int count = static_cast<int>(program.bodies.size());
  if (count == 0) reject("it has no body");
  for (int i = 0; i < count; ++i) {
    for (const Statement& statement : program.bodies[static_cast<std::size_t>(i)]) {
      const bool behind = i < statement.number && statement.number < count;
      if (names_body(statement.op) && !behind)
        reject("no body behind this one: " + text_of(statement));
    }
  }
}

}  // namespace

bool has_name(Op op) {
  return is_one_of(op, {Op::actor, Op::send});
}

bool has_number(Op op) {
  return !is_one_of(op, {Op::yield, Op::id, Op::fork, Op::receive, Op::finish});
}

bool names_body(Op op) {
  return is_one_of(op, {Op::spawn, Op::actor, Op::exec, Op::call});
}

bool may_throw(Op op) {
  return is_one_of(op, {Op::kill, Op::wait, Op::call});
}

std::string text_of(const Statement& statement) {
  std::string text = statement.guarded ? "try " : "";
  text += words[static_cast<std::size_t>(statement.op)];
  if (has_name(statement.op)) text += std::string(" ") + statement.name;
  if (has_number(statement.op)) text += ' ' + std::to_string(statement.number);
  return text;
}

std::string text_of(const Program& program) {
  std::string text;
  if (program.order != 0) text += "order " + std::to_string(program.order) + '\n';
  for (std::size_t i = 0; i < program.bodies.size(); ++i) {
    text += "body " + std::to_string(i) + '\n';
    for (const Statement& statement : program.bodies[i]) text += "  " + text_of(statement) + '\n';
  }
  return text;
}

Program read_program(std::istream& in) {
  Program program;
  std::string word;
  std::size_t number = 0;
  while (in >> word) {
    if (word == "order") {
      if (!(in >> program.order)) reject("order needs a number");
    } else if (word == "body") {
      if (!(in >> number) || number != program.bodies.size()) reject("bodies count from 0");
      program.bodies.emplace_back();
    } else if (program.bodies.empty()) {
      reject(word + " stands before body 0");
    } else {
      program.bodies.back().push_back(read_statement(in, word));
    }
  }
  check(program);
  return program;
}
