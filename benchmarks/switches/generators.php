<?php
// PHP: a scheduler for generators, after the idea of the article.

final class Task
{
    private mixed $sendValue = null;
    private bool $started = false;

    public function __construct(public readonly int $id, private Generator $body)
    {
    }

    public function setSendValue(mixed $value): void
    {
        $this->sendValue = $value;
    }

    public function run(): mixed
    {
        if (!$this->started) {
            $this->started = true;
            return $this->body->current();
        }
        $yielded = $this->body->send($this->sendValue);
        $this->sendValue = null;
        return $yielded;
    }

    public function isFinished(): bool
    {
        return !$this->body->valid();
    }
}

final class Scheduler
{
    private int $lastId = 0;
    /** @var array<int, Task> */
    private array $tasks = [];
    private SplQueue $ready;

    public function __construct()
    {
        $this->ready = new SplQueue();
    }

    public function newTask(Generator $body): int
    {
        $task = new Task(++$this->lastId, $body);
        $this->tasks[$task->id] = $task;
        $this->schedule($task);
        return $task->id;
    }

    public function schedule(Task $task): void
    {
        $this->ready->enqueue($task);
    }

    public function run(): void
    {
        while (!$this->ready->isEmpty()) {
            $task = $this->ready->dequeue();
            $task->run();
            if ($task->isFinished()) {
                unset($this->tasks[$task->id]);
            } else {
                $this->schedule($task);
            }
        }
    }
}

/** What the tasks of one measurement share. */
final class Run
{
    public bool $over = false;
    public int $turns = 0;
    public float $nanoseconds = 0;
    public int $bytes = 0;
}

function yields(Run $run): Generator
{
    $turns = 0;
    while (!$run->over) {
        yield;
        ++$turns;
    }
    $run->turns += $turns;
}

/** One task of them all: between two turns of its own, each has had one. */
function watch(Run $run, int $rounds): Generator
{
    yield;
    $run->bytes = memory_get_usage();
    $start = processor_time();
    for ($i = 0; $i < $rounds; ++$i) {
        yield;
    }
    $run->nanoseconds = processor_time() - $start;
    $run->over = true;
}

function processor_time(): float
{
    $used = getrusage();
    return 1e9 * ($used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec'])
         + 1e3 * ($used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec']);
}

function measure(int $tasks): array
{
    $rounds = max(intdiv(1000000, $tasks), 2);
    $run = new Run();
    $before = memory_get_usage();
    $scheduler = new Scheduler();
    $scheduler->newTask(watch($run, $rounds));
    for ($i = 1; $i < $tasks; ++$i) {
        $scheduler->newTask(yields($run));
    }
    $scheduler->run();
    if ($run->turns < $rounds * ($tasks - 1)) {
        fwrite(STDERR, "the tasks did not have their turns\n");
        exit(1);
    }
    $result = [
        'name' => "yield/$tasks",
        'cpu_time' => $run->nanoseconds / ($rounds * $tasks),
        'time_unit' => 'ns',
    ];
    if ($tasks >= 100000) {
        $result['bytes_a_task'] = ($run->bytes - $before) / $tasks;
    }
    return $result;
}

gc_disable(); // it would look for cycles in all tasks, again and again
echo json_encode(['benchmarks' => array_map(measure(...), [2, 1000, 100000])]), "\n";
