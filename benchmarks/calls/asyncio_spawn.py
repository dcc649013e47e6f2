"""A task of asyncio is made and runs to its end."""

import asyncio
import json
import time

at_once = 100
ended = 0


async def empty():
    global ended
    ended += 1


async def spawn(n):
    for _ in range(n // at_once):
        tasks = [asyncio.create_task(empty()) for _ in range(at_once)]
        await tasks[-1]


n = 100000
begin = time.process_time()
asyncio.run(spawn(n))
nanoseconds = (time.process_time() - begin) / n * 1e9
assert ended == n
print(json.dumps({"benchmarks": [{"name": "spawn", "cpu_time": nanoseconds, "time_unit": "ns"}]}))
