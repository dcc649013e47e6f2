#include "watch.hpp"

namespace coop {
using namespace detail;

Watch::Watch(const std::string& path)
    : path_(path),
      handle_(make_handle<uv_fs_event_t>("cannot watch " + path, uv_fs_event_init, loop())) {
  handle_->data = this;
  const std::string doing = "cannot watch " + path;
  check(uv_fs_event_start(handle_.get(), came, c_string(path, doing), 0), doing);
}

void Watch::came(uv_fs_event_t* handle, const char* name, int events, int status) {
  Watch& watch = *static_cast<Watch*>(handle->data);
  const int error = run_in_callback([&] {
    check(status, "cannot watch");
    const std::string file = name ? name : "";
    if (events & UV_RENAME) watch.add(Change(file, true));
    if (events & UV_CHANGE) watch.add(Change(file, false));
  });
  if (error != 0) watch.status_ = error;
  watch.wake_all();
}

void Watch::add(Change change) {
  if (changes_.empty() || changes_.back() != change) changes_.push_back(std::move(change));
}

Coroutine<Change> Watch::next(std::source_location where) {
  while (!is_ready()) {
    co_await EventAwaiter(*this, where);
  }
  if (changes_.empty()) check(std::exchange(status_, 0), "cannot watch " + path_);
  Change change = std::move(changes_.front());
  changes_.pop_front();
  co_return change;
}

}  // namespace coop
