<?php

// A scheduler for generators, built on the ideas of the article: a queue of tasks, requests that are
// yielded to it, and generators that call each other by yielding.

class Task
{
    public mixed $answer = null;
    private bool $started = false;

    public function __construct(public readonly int $id, private Generator $body)
    {
    }

    public function run(): mixed
    {
        if (!$this->started) {
            $this->started = true;
            return $this->body->current();
        }
        $answer = $this->answer;
        $this->answer = null;
        return $this->body->send($answer);
    }

    public function ended(): bool
    {
        return !$this->body->valid();
    }
}

class Scheduler
{
    private int $lastId = 0;
    private array $tasks = [];
    private SplQueue $ready;

    public function __construct()
    {
        $this->ready = new SplQueue();
    }

    public function spawn(Generator $body): int
    {
        $task = new Task(++$this->lastId, $body);
        $this->tasks[$task->id] = $task;
        $this->ready->enqueue($task);
        return $task->id;
    }

    public function resume(Task $task): void
    {
        $this->ready->enqueue($task);
    }

    /** Has to look for the task in the queue. */
    public function kill(int $id): bool
    {
        if (!isset($this->tasks[$id])) {
            return false;
        }
        unset($this->tasks[$id]);
        foreach ($this->ready as $place => $task) {
            if ($task->id === $id) {
                unset($this->ready[$place]);
                break;
            }
        }
        return true;
    }

    public function run(): void
    {
        while (!$this->ready->isEmpty()) {
            $task = $this->ready->dequeue();
            $request = $task->run();
            if ($request instanceof Closure) {
                $request($task, $this);
            } elseif ($task->ended()) {
                unset($this->tasks[$task->id]);
            } else {
                $this->ready->enqueue($task);
            }
        }
    }
}

function getId(): Closure
{
    return function (Task $task, Scheduler $scheduler): void {
        $task->answer = $task->id;
        $scheduler->resume($task);
    };
}

/** Runs generators that call each other: a yielded generator is called, anything else goes out. */
function stacked(Generator $innermost): Generator
{
    $callers = new SplStack();
    while (true) {
        if (!$innermost->valid()) {
            $result = $innermost->getReturn();
            if ($callers->isEmpty()) {
                return;
            }
            $innermost = $callers->pop();
            $innermost->send($result);
        } elseif (($yielded = $innermost->current()) instanceof Generator) {
            $callers->push($innermost);
            $innermost = $yielded;
        } else {
            $innermost->send(yield $yielded);
        }
    }
}
