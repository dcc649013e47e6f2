#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

// The language of the random programs. A program is a list of bodies, a body a list of statements.
// Task 1 runs body 0. A body uses only bodies behind it, so every program ends.
//
//     body 0
//       actor a 1        makes a task of body 1, which gets the messages for `a`
//       try call 2       a call; if it throws, that is caught, and the next statement follows
//     body 1
//       receive

enum class Op {
  yield,    // ends the turn
  id,       // gives the task's own id
  spawn,    // makes a task of a body; gives its id
  actor,    // the same, with a name
  kill,     // ends the task of that id; gives true
  wait,     // waits for the end of the task of that id; gives true
  exec,     // goes on as another body
  fork,     // copies the task; gives the id of the copy, and nothing to the copy
  send,     // leaves a number for the task of that name; gives nothing
  receive,  // waits for a number; gives it
  call,     // runs a body as a part of this one; gives what that returns
  give,     // ends the body, and returns a number
  raise,    // throws
  finish    // ends the body, and returns nothing
};

constexpr std::size_t op_count = 14;

struct Statement {
  Op op = Op::yield;
  char name = 'a';       // if the operation has one
  int number = 0;        // the same; of a body, of a task, or just a number
  bool guarded = false;  // what it throws is caught
};

using Body = std::vector<Statement>;

struct Program {
  std::vector<Body> bodies;
  unsigned order = 0;  // seed of the order of turns; 0 is first in, first out
};

bool has_name(Op op);
bool has_number(Op op);
bool names_body(Op op);
bool may_throw(Op op);

std::string text_of(const Statement& statement);
std::string text_of(const Program& program);

/// Throws `std::runtime_error` that says what is wrong.
Program read_program(std::istream& in);

/// The same for the same seed, on every machine; of these operations only.
Program random_program(unsigned seed, const std::vector<Op>& operations, bool any_order);

/// All that are one change smaller. Who takes a smaller one again and again comes to an end.
std::vector<Program> smaller(const Program& program);
