"""asyncio: tasks that do nothing but let the others go on."""

import asyncio
import json
import os
import time


class Run:
    over = False
    turns = 0


def resident_bytes():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE")


async def yields(run):
    turns = 0
    while not run.over:
        await asyncio.sleep(0)
        turns += 1
    run.turns += turns


async def clock(run, tasks, result):
    """One task of them all: between two turns of its own, each has had one."""
    before = resident_bytes()
    others = [asyncio.create_task(yields(run)) for _ in range(tasks - 1)]
    await asyncio.sleep(0)
    if tasks >= 100_000:
        result["bytes_a_task"] = (resident_bytes() - before) / tasks
    rounds = max(300_000 // tasks, 2)
    start = time.process_time_ns()
    for _ in range(rounds):
        await asyncio.sleep(0)
    result["cpu_time"] = (time.process_time_ns() - start) / (rounds * tasks)
    run.over = True
    await asyncio.gather(*others)
    if run.turns < rounds * (tasks - 1):
        raise SystemExit("the tasks did not have their turns")


def measure(tasks):
    result = {"name": f"yield/{tasks}", "time_unit": "ns"}
    asyncio.run(clock(Run(), tasks, result))
    return result


print(json.dumps({"benchmarks": [measure(tasks) for tasks in (2, 1000, 100_000)]}))
