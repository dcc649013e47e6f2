// Pitfall: an awaiter uses its members after it has resumed the coroutine.
// AddressSanitizer says: heap-use-after-free
//
// The resumed coroutine may finish immediately. Then its frame is destroyed, and the awaiter with
// it, because the awaiter is in the frame. So resume the coroutine last:
//
//   waiting_ = true;
//   handle.resume();
#include <coroutine>

/// A coroutine that runs when it is called, and whose frame is destroyed at its end.
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
    handle.resume();  // as the code that waits for the event would do
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
