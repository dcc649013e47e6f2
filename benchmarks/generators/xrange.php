<?php

function xrange(int $start, int $end): Generator
{
    for ($i = $start; $i <= $end; ++$i) {
        yield $i;
    }
}

function cpu_seconds(): float
{
    $used = getrusage();
    return $used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec']
        + 1e-6 * ($used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec']);
}

$last = 5000000;
$begin = cpu_seconds();
$sum = 0;
foreach (xrange(1, $last) as $number) {
    $sum += $number;
}
$nanoseconds = (cpu_seconds() - $begin) / $last * 1e9;
if ($sum !== intdiv($last * ($last + 1), 2)) {
    exit(1);
}
$measure = ['name' => 'sum', 'cpu_time' => $nanoseconds, 'time_unit' => 'ns'];
echo json_encode(['benchmarks' => [$measure]]), "\n";
