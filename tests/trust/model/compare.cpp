#include "compare.hpp"

#include <sys/time.h>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <optional>
#include <utility>
#include <vector>

#include "child_process.hpp"
#include "step.hpp"

namespace {

/// Ends the process if it computes for so long: then it hangs. With 0, it may compute for ever.
void set_alarm(int seconds) {
  const itimerval time{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &time, nullptr);
}

/// None if the program is too long.
std::optional<Trace> expected(const Program& program) {
  try {
    return Model(program, step.rules).run();
  } catch (const TooLong&) {
    return std::nullopt;
  }
}

void find(const Program& program, Trace& trace) {
  set_alarm(1);
  try {
    run(program, trace);
  } catch (const TooLong&) {  // its length says so
  }
  set_alarm(0);
}

std::string text_of(const Event& event, const Program& program) {
  const std::string what = event.what;
  std::string text;
  if (event.frame != 0) {
    text = "frame " + std::to_string(event.frame) + " of body " + std::to_string(event.body) + ": ";
  }
  if (what == "does") {
    const Body& body = program.bodies[static_cast<std::size_t>(event.body)];
    return text + text_of(body[static_cast<std::size_t>(event.value)]);
  }
  const bool is_error = what == "catches" || what == "uncaught";
  if (is_error && event.value == invalid_id) return text + what + ": no such task";
  return text + what + (event.value == no_value ? "" : ' ' + std::to_string(event.value));
}

/// Prints the events of the step beside those of the model as they come, to the first difference.
class Table {
 public:
  Table(const Program& program, std::vector<Event> model)
      : program_(program), model_(std::move(model)) {
    print("the model", step.name);
  }

  void add(const Event& event) {
    if (differs_) return;
    differs_ = next_ == model_.size() || !(model_[next_] == event);
    print(next_model(), text_of(event, program_));
  }

  void end() {
    if (!differs_ && next_ < model_.size()) print(next_model(), "");
  }

 private:
  std::string next_model() {
    return next_ == model_.size() ? "" : text_of(model_[next_++], program_);
  }

  static void print(const std::string& left, const std::string& right) {
    std::cout << std::left << std::setw(44) << left << right << std::endl;
  }

  const Program& program_;
  std::vector<Event> model_;
  std::size_t next_ = 0;
  bool differs_ = false;
};

}  // namespace

Program program_of(unsigned seed) {
  return random_program(seed, step.operations, step.any_order);
}

bool agree(const Program& program) {
  const std::optional<Trace> model = expected(program);
  if (!model) return true;
  Trace trace;
  find(program, trace);
  return model->events() == trace.events();
}

bool agree(unsigned seed, unsigned count) {
  while (count > 0 && agree(program_of(seed))) {
    ++seed;
    --count;
  }
  return count == 0;
}

Program shrunk(Program program) {
  const auto trouble_with = [](const Program& candidate) {
    return trouble_of([&] { return agree(candidate); }, Stderr::quiet);
  };
  const std::string trouble = trouble_with(program);
  const auto is_as_bad = [&](const Program& candidate) {
    return trouble_with(candidate) == trouble;
  };
  while (!trouble.empty()) {
    const std::vector<Program> candidates = smaller(program);
    const auto next = std::find_if(candidates.begin(), candidates.end(), is_as_bad);
    if (next == candidates.end()) break;
    program = *next;
  }
  return program;
}

void print_traces(const Program& program) {
  const std::optional<Trace> model = expected(program);
  Table table(program, model ? model->events() : std::vector<Event>());
  Trace trace([&table](const Event& event) { table.add(event); });
  find(program, trace);
  table.end();
}
