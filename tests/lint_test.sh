#!/bin/sh
# tools/keep/coroutine_lint finds each mistake that it is for, and nothing in correct code. Nor does clang-tidy.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
cd "$root" || exit 2
for tool in clang-query-19 clang-tidy-19; do
  command -v $tool >/dev/null || skip_all "the rules for the code, because $tool is not installed"
done

# found FILE[:LINE] MESSAGE
found() { grep -q "$1:.* $2" "$scratch/out" || complain "$1: not found: $2"; }

pitfalls=step08_cpp20/pitfalls
expect 1 tools/keep/coroutine_lint step08_cpp20/canaries/*.cpp $pitfalls/reference_parameter.cpp $pitfalls/lambda_with_captures.cpp \
  $pitfalls/member_coroutine.cpp
for canary in step08_cpp20/canaries/*.cpp; do found "${canary##*/}" ""; done
found reference_parameter.cpp "parameters by value"
found lambda_with_captures.cpp "must not capture"
found member_coroutine.cpp "is a member"

# What these do not have, a mistake a line.
cat >"$scratch/mistakes" <<'TEXT'
in a condition|Coroutine<> f() { while (co_await g(1)) g(2); }
in a condition|Coroutine<> f() { if (const int x = co_await g(1)) g(x); }
in a condition|Coroutine<> f() { for (int i : co_await h({})) g(i); }
no braces|Coroutine<> f() { co_await h({1}); }
write only|Coroutine<> f() { int x = co_await g(1) + 1; g(x); }
write only|Coroutine<> f() { g(co_await g(1)); }
write only|Coroutine<> f() { std::cout << co_await g(1); }
structured binding|Coroutine<std::pair<int, int>> k(); Coroutine<> f() { auto [p, q] = co_await k(); g(p + q); }
by value|auto f = [](const std::string& s) -> Coroutine<> { co_return; };
by value|template <typename T> Coroutine<> f(T&& s) { co_await g(1); } auto x = f(1);
must not capture|void f(int x) { [&]() -> Coroutine<> { co_await g(x); }; }
not rethrow|struct P { void unhandled_exception() { throw; } };
needs a constructor|struct A { int x; bool await_ready() { return false; } };
TEXT
{
  echo '#include <iostream>
#include "step08_cpp20/scheduler.hpp"
Coroutine<int> g(int); Coroutine<std::vector<int>> h(std::vector<int>);'
  awk -F '|' '{ print "namespace n" NR " { " substr($0, length($1) + 2) " }" }' "$scratch/mistakes"
} >"$scratch/lint.cpp"
expect 1 tools/keep/coroutine_lint "$scratch/lint.cpp"
awk -F '|' '{ print "lint.cpp:" NR + 3 "|" $1 }' "$scratch/mistakes" >"$scratch/expected"
while IFS='|' read -r place message; do found "$place" "$message"; done <"$scratch/expected"

expect 2 tools/keep/coroutine_lint nosuch.cpp
expect 0 tools/keep/coroutine_lint # steps 8 and 9
prints_nothing
expect 0 tools/keep/tidy
prints_nothing
finish
