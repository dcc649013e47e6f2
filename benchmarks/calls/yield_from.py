"""Generators that delegate with `yield from`."""

import json
import sys
import time

sys.setrecursionlimit(1000000)
measures = []


def measure(name, repetitions, work):
    begin = time.process_time()
    assert work(repetitions) == repetitions
    seconds = time.process_time() - begin
    measures.append({"name": name, "cpu_time": seconds / repetitions * 1e9, "time_unit": "ns"})


def nested(depth):
    if depth > 1:
        yield from nested(depth - 1)
    while True:
        yield 1


def yield_at_depth(depth, repetitions):
    outermost = nested(depth)
    next(outermost)  # now all have been called
    measure(f"yield_at_depth/{depth}", repetitions, lambda n: sum(next(outermost) for _ in range(n)))


def empty():
    return 1
    yield


def caller(n):
    calls = 0
    for _ in range(n):
        calls += yield from empty()
    yield calls


for depth, repetitions in [(1, 500000), (10000, 200)]:
    yield_at_depth(depth, repetitions)
measure("call", 500000, lambda n: next(caller(n)))
print(json.dumps({"benchmarks": measures}))
