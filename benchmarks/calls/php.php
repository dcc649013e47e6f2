<?php

require __DIR__ . '/tasks.php';

function cpu_seconds(): float
{
    $used = getrusage();
    return $used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec']
        + 1e-6 * ($used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec']);
}

$measures = [];

/** $work does something $n times and returns how often it has. */
function measure(string $name, int $n, callable $work): void
{
    global $measures;
    $begin = cpu_seconds();
    $done = $work($n);
    $seconds = cpu_seconds() - $begin;
    if ($done !== $n) {
        fwrite(STDERR, "$name: not all of the work was done\n");
        exit(1);
    }
    $measures[] = ['name' => $name, 'cpu_time' => $seconds / $n * 1e9, 'time_unit' => 'ns'];
}

function nothing(): Generator
{
    return 1;
    yield;
}

function asksForItsId(int $n, int &$done): Generator
{
    for ($i = 0; $i < $n; ++$i) {
        $done += yield getId();
    }
}

function nested(int $depth, int $n, int &$done): Generator
{
    if ($depth > 1) {
        yield nested($depth - 1, $n, $done);
        return;
    }
    for ($i = 0; $i < $n; ++$i) {
        yield;
        ++$done;
    }
}

function caller(int $n, int &$done): Generator
{
    for ($i = 0; $i < $n; ++$i) {
        $done += yield nothing();
    }
}

/** Gives work for measure(): a task with this body runs to its end. */
function task(callable $body): callable
{
    return function (int $n) use ($body): int {
        $done = 0;
        $scheduler = new Scheduler();
        $scheduler->spawn($body($n, $done));
        $scheduler->run();
        return $done;
    };
}

measure('system_call', 500000, task('asksForItsId'));
foreach ([1, 10000] as $depth) {
    $body = function (int $n, int &$done) use ($depth): Generator {
        return stacked(nested($depth, $n, $done));
    };
    measure("yield_at_depth/$depth", 500000, task($body));
}
$body = function (int $n, int &$done): Generator {
    return stacked(caller($n, $done));
};
measure('call', 500000, task($body));

foreach ([1000, 100000] as $n) {
    $scheduler = new Scheduler();
    for ($id = 1; $id <= $n; ++$id) {
        $scheduler->spawn(nothing());
    }
    $order = range(1, $n);
    mt_srand(1);
    shuffle($order);
    $order = array_slice($order, 0, 500); // all 100 000 would take minutes
    measure("kill/$n", count($order), fn () => count(array_filter($order, [$scheduler, 'kill'])));
}

function counting(int &$done): Generator
{
    ++$done;
    return;
    yield;
}
measure('spawn', 100000, function (int $n): int {
    $scheduler = new Scheduler();
    $done = 0;
    for ($i = 0; $i < $n; $i += 100) {
        for ($j = 0; $j < 100; ++$j) {
            $scheduler->spawn(counting($done));
        }
        $scheduler->run();
    }
    return $done;
});
echo json_encode(['benchmarks' => $measures]), "\n";
