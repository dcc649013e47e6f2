#include <utility>

#include "program.hpp"

namespace {

/// Without the body, and without what uses it.
Program without_body(Program program, std::size_t gone) {
  program.bodies.erase(program.bodies.begin() + static_cast<std::ptrdiff_t>(gone));
  const int number = static_cast<int>(gone);
  for (Body& body : program.bodies) {
    Body kept;
    for (Statement statement : body) {
      if (names_body(statement.op) && statement.number == number) continue;
      if (names_body(statement.op) && statement.number > number) --statement.number;
      kept.push_back(statement);
    }
    body = std::move(kept);
  }
  return program;
}

/// With one name for all.
Program without_names(Program program) {
  for (Body& body : program.bodies) {
    for (Statement& statement : body) statement.name = 'a';
  }
  return program;
}

/// Each simpler statement that may stand in its place.
std::vector<Statement> simpler(const Statement& statement) {
  std::vector<Statement> all;
  const auto add = [&all](Statement changed) { all.push_back(changed); };
  if (statement.guarded) add({statement.op, statement.name, statement.number, false});
  if (statement.op == Op::actor) add({Op::spawn, 'a', statement.number, false});
  if (statement.op != Op::yield) add({});
  if (has_number(statement.op) && !names_body(statement.op)) {
    const int least = may_throw(statement.op) ? 0 : 1;
    for (int number = least; number < statement.number; ++number) {
      add({statement.op, statement.name, number, statement.guarded});
    }
  }
  return all;
}

}  // namespace

std::vector<Program> smaller(const Program& program) {
  std::vector<Program> all;
  for (std::size_t b = 1; b < program.bodies.size(); ++b) all.push_back(without_body(program, b));
  for (std::size_t b = 0; b < program.bodies.size(); ++b) {
    for (std::size_t i = 0; i < program.bodies[b].size(); ++i) {
      all.push_back(program);
      Body& body = all.back().bodies[b];
      body.erase(body.begin() + static_cast<std::ptrdiff_t>(i));
      for (const Statement& statement : simpler(program.bodies[b][i])) {
        all.push_back(program);
        all.back().bodies[b][i] = statement;
      }
    }
  }
  const Program nameless = without_names(program);
  if (text_of(nameless) != text_of(program)) all.push_back(nameless);
  for (unsigned order = 0; order < program.order && order < 4; ++order) {
    all.push_back(program);
    all.back().order = order;
  }
  return all;
}
