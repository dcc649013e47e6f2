#pragma once

#include <string>
#include <vector>

// The language of the random programs. A program is a list of bodies, and a body is a list of
// statements. Task 1 runs body 0. A body uses only later bodies, so every program ends.
//
//     body 0
//       actor a 1        starts a task that runs body 1 and receives the messages for `a`
//       try call 2       calls body 2; catches its exception, and continues with the next statement
//     body 1
//       receive

enum class Op {
  yield,    // ends the turn
  id,       // returns the id of the task
  spawn,    // starts a task that runs a body; returns its id
  actor,    // does the same, and names the task
  kill,     // ends the task with this id
  wait,     // waits for the end of the task with this id
  exec,     // replaces the bodies of the task by another one
  fork,     // copies the task; returns the id of the copy, and nothing in the copy
  send,     // sends a number to the task with this name
  receive,  // waits for a number, and returns it
  call,     // calls a body, and returns its result
  give,     // ends the body with a number as its result
  raise,    // throws
  finish    // ends the body without a result
};

struct Statement {
  Op op = Op::yield;
  char name = 'a';       // if the operation has a name
  int number = 0;        // if it has a number: of a body, of a task, or of a message
  bool guarded = false;  // it catches the exception
};

using Body = std::vector<Statement>;
using Program = std::vector<Body>;

std::string text_of(const Statement& statement);
std::string text_of(const Program& program);

/// Returns the program of this seed, which contains only these operations. It is the same on every
/// machine. Small seeds have short programs.
Program random_program(unsigned seed, const std::vector<Op>& operations);
