#pragma once

#include <functional>

class Scheduler;
class Task;

/// A request that a task yields to the scheduler: a function that the scheduler runs for it, with
/// the task that asked. The task does not go on by itself; the call schedules it, now or later.
///
/// Article: "Communicating with the scheduler", class SystemCall.
using SystemCall = std::function<void(Task&, Scheduler&)>;
