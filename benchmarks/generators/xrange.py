import json
import time


def xrange(start, end):
    i = start
    while i <= end:
        yield i
        i += 1


def sum_to(last):
    total = 0
    for number in xrange(1, last):
        total += number
    return total


last = 3_000_000
begin = time.process_time()
total = sum_to(last)
nanoseconds = (time.process_time() - begin) / last * 1e9
assert total == last * (last + 1) // 2
measure = {"name": "sum", "cpu_time": nanoseconds, "time_unit": "ns"}
print(json.dumps({"benchmarks": [measure]}))
