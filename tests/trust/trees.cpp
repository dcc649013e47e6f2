// Runs random trees of tasks in step 9, and checks that all of them follow the rule of
// cancellation.
//
//   trees [COUNT [SEED]]       runs COUNT trees, the first one with this seed
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "coop/all_of.hpp"
#include "coop/any_of.hpp"
#include "coop/for_each.hpp"
#include "coop/protect.hpp"
#include "coop/timeout.hpp"
#include "fake_reactor.hpp"

using namespace coop;
using std::chrono::milliseconds;

namespace {

/// What a task does: five things without children, three by itself, and then waits for tasks.
const std::vector<std::string> kinds{
    "sleep",       "throw",   "cancel",       "shutdown", "await",
    "try",         "protect", "with_finally", "Scope",    "~Scope",
    "with_scope",  "all_of",  "for_each",     "any_of",   "any_of with a timer",
    "with_timeout"};

struct Node {
  std::string kind;
  int number;  // of milliseconds, of a task, or a choice
  std::vector<Node> children{};
};

std::string text_of(const Node& node) {
  std::string text = node.kind + ' ' + std::to_string(node.number);
  for (const Node& child : node.children) text += " (" + text_of(child) + ')';
  return text;
}

struct World {
  std::mt19937 random;
  FakeReactor reactor{};
  Scheduler scheduler{reactor};
  std::vector<Handle<void>> handles{};
  std::map<TaskId, int> cancels{};          // of each task by its cancel()
  std::map<TaskId, int> thrown{};           // how often Cancelled was thrown into each task
  std::map<TaskId, int> protected_since{};  // the attempts of the shutdown, plus 1
  int attempts = 0;
  std::string fault{};

  int choose(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
  Node tree(int depth) {
    const int kind = choose(depth == 0 ? 5 : static_cast<int>(kinds.size()));
    Node node{kinds[static_cast<std::size_t>(kind)], choose(8)};
    if (node.kind == "shutdown" && choose(4) > 0) node.kind = "sleep";
    const int children = kind < 5 ? 0 : node.kind == "with_timeout" ? 1 : 1 + choose(3);
    for (int i = 0; i < children; ++i) node.children.push_back(tree(depth - 1));
    return node;
  }
};
World* world;

void check(bool is_right, const std::string& fault) {
  if (!is_right && world->fault.empty()) world->fault = fault;
}
bool is_protected() {
  return world->protected_since[this_task().id()] == world->attempts + 1;
}

/// A Cancelled has been thrown into the running task. Task 1 is in no scope.
void count() {
  const TaskId id = this_task().id();
  const int most = world->cancels[id] + world->attempts + (id == 1 ? 0 : 1);
  check(++world->thrown[id] <= most, "task " + std::to_string(id) + " is cancelled too often");
}

/// A task that another one waits for.
struct Child {
  const Node* node;
  bool has_begun = false;
  bool has_returned = false;
  bool has_failed = false;
  bool was_cancelled = true;  // also if it never runs

  bool is_done() const { return has_returned && !was_cancelled; }
};

Coroutine<> act(const Node& node);

Coroutine<> run(Child* child) {
  child->has_begun = true;
  std::exception_ptr error;
  try {
    co_await act(*child->node);
  } catch (...) {
    error = std::current_exception();
  }
  child->was_cancelled = this_task().is_cancelled();
  child->has_returned = !error;
  child->has_failed = error && !(child->was_cancelled && is_cancellation(error));
  if (error) std::rethrow_exception(error);
}

Coroutine<> run_protected(const Node& node) {
  int& since = world->protected_since[this_task().id()];
  const int before = std::exchange(since, world->attempts + 1);
  const std::shared_ptr<void> end(nullptr, [&](void*) { since = before; });
  co_await act(node);
}

Coroutine<> sleep_and_count(int time) {
  try {
    co_await sleep(milliseconds(time));
  } catch (const Cancelled&) {
    count();
    throw;
  }
}

Coroutine<> spawn_all(Scope* scope, std::vector<Child>* children) {
  for (Child& child : *children) world->handles.push_back(scope->spawn(run(&child)));
  co_return;
}

Coroutine<> wait_for_all(const Node& node, std::vector<Child>* children) {
  const auto spawn_in = [children](Scope* scope) { return spawn_all(scope, children); };
  const auto run_one = [](Child* child) { return run(child); };
  std::vector<Child*> items;
  for (Child& child : *children) items.push_back(&child);
  std::vector<Coroutine<>> bodies;
  for (Child& child : *children) bodies.push_back(run(&child));
  if (node.kind == "with_scope") {
    co_await with_scope(spawn_in);
  } else if (node.kind == "for_each") {
    co_await for_each(std::move(items), run_one, 2);
  } else if (node.kind == "all_of") {
    co_await all_of(std::move(bodies));
  } else if (node.kind == "any_of") {
    const auto first = co_await any_of(std::move(bodies));
    check((*children)[first.first].has_returned, "any_of returns what has not finished");
  } else if (node.kind == "any_of with a timer") {
    co_await any_of(std::move(bodies[0]), Timer(milliseconds(node.number)));
  } else if (node.kind == "with_timeout") {
    co_await with_timeout(milliseconds(1 + node.number), std::move(bodies[0]));
  } else {
    Scope scope;
    co_await spawn_all(&scope, children);
    if (node.number == 0) scope.cancel();
    if (node.kind == "Scope") {
      co_await scope.join();
    } else {
      co_await sleep_and_count(node.number);
    }
  }
}

/// Waits for the children, and checks how that ends.
Coroutine<> wait_and_check(const Node& node) {
  const bool was_cancelled = this_task().is_cancelled();
  const bool begins_in_shutdown = is_protected() && world->attempts > 0;
  std::vector<Child> children;
  for (const Node& child : node.children) children.push_back({&child});
  std::exception_ptr error;
  try {
    co_await wait_for_all(node, &children);
  } catch (...) {
    error = std::current_exception();
  }
  const auto some = [&](auto what) { return std::ranges::any_of(children, what); };
  const bool is_cancelled = error && is_cancellation(error);
  const bool is_new = this_task().is_cancelled() && !was_cancelled && !is_protected();
  const bool is_first = node.kind.starts_with("any_of");
  const bool is_alone = world->cancels.empty();  // no task has been cancelled by its cancel()
  if (node.kind != "~Scope") {
    const bool is_done =
        is_first ? some(&Child::is_done) : std::ranges::all_of(children, &Child::is_done);
    const bool has_failed = some(&Child::has_failed);
    check(!has_failed || (error && !is_cancelled), "an error is lost");
    check(has_failed || !error || is_cancelled || node.kind == "with_timeout",
          "an error comes from no task");
    check(!is_done || !is_cancelled || node.kind == "for_each", "a result is lost");
    check(error || !is_new || !is_alone || is_first || !some(&Child::was_cancelled),
          "returns although a task was cut short");
    check(some(&Child::has_begun) || !begins_in_shutdown || !is_protected() || !is_alone ||
              node.number == 0,
          "the tasks of a clean-up don't run");
    if (is_cancelled && this_task().is_cancelled() && is_alone) count();
  }
  if (is_new && !is_cancelled) {
    co_await sleep_and_count(0);
    check(false, "a cancellation is lost");
  }
  if (error) std::rethrow_exception(error);
}

void cancel(TaskId id) {
  try {
    world->scheduler.task(id).cancel();
    ++world->cancels[id];
  } catch (const std::invalid_argument&) {  // it has finished
  }
}

Coroutine<> act(const Node& node) {
  const auto number = static_cast<std::size_t>(node.number);
  if (node.kind == "throw") throw std::runtime_error("a task");
  if (node.kind == "cancel") cancel(node.number + 1);
  if (node.kind == "shutdown") {
    world->attempts = std::min(2, world->attempts + 1);
    world->scheduler.shutdown(std::make_exception_ptr(std::runtime_error("shutdown")));
  }
  if (node.kind == "sleep") {
    co_await sleep_and_count(node.number);
  } else if (node.kind == "await" && number < world->handles.size()) {
    co_await with_timeout(milliseconds(1), world->handles[number]);
  } else if (node.kind == "try") {
    try {
      co_await act(node.children.front());
    } catch (...) {
    }
    co_await act(node.children.back());
  } else if (node.kind == "protect") {
    co_await protect(run_protected(node.children.front()));
  } else if (node.kind == "with_finally") {
    co_await with_finally(act(node.children.front()), run_protected(node.children.back()));
  } else if (!node.children.empty()) {
    co_await wait_and_check(node);
  }
}

/// Runs the tree of a seed, and returns what is wrong.
std::string run(unsigned seed, std::string* tree) {
  World here{std::mt19937(seed)};
  world = &here;
  const Node root = here.tree(2 + here.choose(3));
  *tree = text_of(root);
  here.scheduler.on_unhandled([](const std::exception_ptr&) {});
  here.scheduler.on_deadlock([](const std::string&) { check(false, "a task waits forever"); });
  if (seed % 2 == 0) here.scheduler.shuffle([&](std::size_t n) { return here.random() % n; });
  Child child{&root};
  here.scheduler.spawn(run(&child));
  try {
    here.scheduler.run();
  } catch (const std::exception&) {
  }
  return here.fault;
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned count = argc > 1 ? static_cast<unsigned>(std::stoul(argv[1])) : 5000;
  const unsigned first = argc > 2 ? static_cast<unsigned>(std::stoul(argv[2])) : 1;
  detail::set_pool_block(0);
  for (unsigned seed = first; seed - first < count; ++seed) {
    std::string tree, fault = run(seed, &tree);
    if (fault.empty() && detail::pool_statistics().in_use != 0) fault = "a frame is left";
    if (fault.empty()) continue;
    std::cout << "seed " << seed << ": " << fault << '\n' << tree << '\n';
    return 1;
  }
  std::cout << count << " trees follow the rule\n";
}
