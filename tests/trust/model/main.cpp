// Runs random programs on the model and on the scheduler of a step, and compares their events.
//
//   stepNN_model [COUNT [SEED]]       runs COUNT programs, the first one with this seed
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "model.hpp"

namespace {

std::string text_of(const Event& event, const Program& program) {
  const std::string what = event.what;
  std::string text;
  if (event.frame != 0)
    text = "frame " + std::to_string(event.frame) + " of body " + std::to_string(event.body) + ": ";
  if (what == "does") {
    const Body& body = program[static_cast<std::size_t>(event.body)];
    return text + text_of(body[static_cast<std::size_t>(event.value)]);
  }
  const bool is_error = what == "catches" || what == "uncaught";
  if (is_error && event.value == invalid_id) return text + what + ": no such task";
  return text + what + (event.value == no_value ? "" : ' ' + std::to_string(event.value));
}

/// Ends the process at the first difference between the events of the model and of the step.
[[noreturn]] void differ(const std::string& model, const std::string& found) {
  std::cout << "the model:  " << model << '\n' << step.name << ":     " << found << std::endl;
  std::_Exit(EXIT_FAILURE);
}

/// Ends the process with a signal if it uses this many seconds of CPU time.
void set_alarm(int seconds) {
  const itimerval time{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &time, nullptr);
}

void compare(const Program& program, bool is_loud) {
  std::vector<Event> expected;
  Trace of_model([&](const Event& event) { expected.push_back(event); });
  try {
    Model(program, step.rules, of_model).run();
  } catch (const TooLong&) {
    return;
  }
  std::size_t next = 0;
  Trace of_step([&](const Event& event) {
    const std::string model = next < expected.size() ? text_of(expected[next], program) : "the end";
    if (next == expected.size() || !(expected[next] == event))
      differ(model, text_of(event, program));
    if (is_loud) std::cout << model << std::endl;
    ++next;
  });
  set_alarm(2);
  run(program, of_step);
  set_alarm(0);
  if (next < expected.size()) differ(text_of(expected[next], program), "the end");
}

/// Calls a function in a new process, so that it may crash or hang. Returns false if it did.
template <typename Function>
bool succeeds(Function function) {
  std::cout.flush();
  const pid_t child = ::fork();
  if (child == 0) {
    function();
    std::exit(EXIT_SUCCESS);  // a leak sanitizer may find something here
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) std::cout << "ended by signal " << WTERMSIG(status) << '\n';
  return status == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned count = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 100'000;
  const unsigned first = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
  if (argc > 3 || count == 0 || first == 0) {
    std::cerr << "usage: " << argv[0] << " [COUNT [SEED]]\n";
    return 2;
  }
  auto* const seed = static_cast<unsigned*>(
      ::mmap(nullptr, sizeof first, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const auto run_all = [&] {
    for (*seed = first; *seed - first < count; ++*seed) {
      compare(random_program(*seed, step.operations), false);
    }
  };
  if (succeeds(run_all)) {
    std::cout << step.name << ": " << count << " programs run as in the model\n";
    return EXIT_SUCCESS;
  }
  const Program program = random_program(*seed, step.operations);
  std::cout << "seed " << *seed << ":\n" << text_of(program) << '\n';
  succeeds([&] { compare(program, true); });
  return EXIT_FAILURE;
}
