#pragma once

#include <functional>

namespace coop {

class Task;

/// What happens to a task: it gets control back after a suspend, it suspends, it has ended. The
/// first start is no `enter`.
enum class Switch { enter, leave, finish };

/// Whether a handler stays.
enum class Keep { yes, no };

/// Called at each switch of one task. It must not suspend; it may add handlers to the task, which
/// are called from the next switch on.
///
/// TrueAsync page, rows 40 to 45 of the chapter's table.
using SwitchHandler = std::function<Keep(Task&, Switch)>;

}  // namespace coop
