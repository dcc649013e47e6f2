#!/bin/sh
# tools/keep/coroutine_lint finds each mistake that it is for, and nothing in correct code.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"

# finds MESSAGE CODE
finds() {
  printf '%s\n' "$2" >"$scratch/code.cpp"
  expect 1 "$root/tools/keep/coroutine_lint" "$scratch/code.cpp"
  prints "$1"
}

finds "no braces" 'Coroutine<> f() { if (co_await x) { g(); } }'
finds "no braces" 'Coroutine<> f() { while (co_await x) { g(); } }'
finds "no braces" 'Coroutine<> f() { co_await g(Options{1}); }'
finds "no braces" 'Coroutine<> f() { T v[] = {co_await g()}; }'
finds "no braces" 'Coroutine<> f() { co_await g([y](int) { return y; }); }'
finds "no ?:" 'Coroutine<> f() { co_await g(x ? y : z); }'
finds "one co_await" 'Coroutine<> f() { int x = co_await g() + co_await h(); }'
finds "write only" 'Coroutine<> f() { g(co_await h()); }'
finds "write only" 'Coroutine<> f() { auto [p, q] = co_await g(); }'
finds "write only" 'Coroutine<> f() { for (int i = 0; i < 2; ++i) co_await g(i); }'
finds "write only" 'Generator<int> f() { if (x) co_yield 1; }'
finds "by value" 'Coroutine<> f(const std::string& s) { co_await g(s); }'
finds "by value" 'Coroutine<> f(std::string&& s) { co_await g(); }'
finds "by value" 'auto f = [](const T& t) -> Coroutine<> { co_return; };'
finds "must not capture" 'auto f = [x](int) -> Coroutine<> { co_await g(x); };'
finds "must not capture" 'auto f = [&] -> Coroutine<> { co_return; };'
finds "is a member" 'class C { Coroutine<> f() { co_await g(a_); } };'
finds "not rethrow" 'struct P { void unhandled_exception() { throw; } };'
finds "no constructor" 'struct A { bool await_ready() { return false; } };'

cat >"$scratch/chapter.md" <<'TEXT'
`if (co_await x)` is allowed in text, but not in code:
```cpp
Coroutine<> f() { if (co_await x) { g(); } }
```
TEXT
expect 1 "$root/tools/keep/coroutine_lint" "$scratch/chapter.md"
prints "chapter.md:3: "

cat >"$scratch/right.cpp" <<'TEXT'
struct Awaiter {
  explicit Awaiter(int n) : n_(n) {}
  bool await_ready() const noexcept { return false; }  // if (co_await x) in a comment
};
Coroutine<int> f(std::string s, Server* server) {
  for (int i = 0; i < 2; ++i) {
    const std::vector<int> x = co_await g(i, "a;b{?", std::move(s));
    *server->out = co_await h();
    co_yield nothing;
  }
  try {
    co_return co_await g(s, std::string("x"));
  } catch (const std::exception& e) {
    log(e.what(), [&](int y) { return y; });
  }
}
Generator<int> plain(const std::string& s, std::vector<int>& v) { return made_of(s, &v); }
auto lambda = [](int x) -> Coroutine<> { co_await g(x); };
Coroutine<> C::unused([[maybe_unused]] int x) { co_await g(); }
TEXT
expect 0 "$root/tools/keep/coroutine_lint" "$scratch/right.cpp"
prints_nothing
finish
