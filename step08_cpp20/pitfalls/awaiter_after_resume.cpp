// Pitfall: an awaiter does something after it has let go of the handle.
// AddressSanitizer says: heap-use-after-free
//
// Whoever has the handle may resume at once, on this thread or another one: the coroutine ends, its
// frame is destroyed, and with it the awaiter that lives there. So letting go comes last:
//
//   waiting_ = true;
//   handle.resume();
#include <coroutine>

/// A coroutine that runs when it is called, and is gone when it ends.
struct Job {
  struct promise_type {
    Job get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};

class Event : public std::suspend_always {
 public:
  void await_suspend(std::coroutine_handle<> handle) {
    handle.resume();  // as somebody would who was waiting for it
    waiting_ = true;
  }

 private:
  bool waiting_ = false;
};

Job job() {
  co_await Event();
}

int main() {
  job();
}
