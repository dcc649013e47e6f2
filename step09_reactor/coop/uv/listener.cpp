#include "listener.hpp"

#include <sys/socket.h>

#include <deque>

#include "uv_event.hpp"

namespace coop {

constexpr std::size_t most_arrived = 64;  // the others stay in the backlog

/// The state of a listener, and the event that a connection has been made.
class Listener::State final : public UvEvent {
 public:
  explicit State(const Address& address) : handle_(make_tcp()) {
    const std::string doing = "cannot listen on " + address.text();
    handle_->stream.data = this;
    check(uv_tcp_bind(&handle_->tcp, address.get(), 0), doing);
    check(uv_listen(&handle_->stream, SOMAXCONN, came), doing);
    sockaddr_storage own{};
    int size = sizeof own;
    check(uv_tcp_getsockname(&handle_->tcp, reinterpret_cast<sockaddr*>(&own), &size), doing);
    port = Address(reinterpret_cast<const sockaddr*>(&own)).port();
  }

  bool is_ready() const override { return status_ < 0 || held_back_ || !arrived_.empty(); }

  /// The next connection, or null if it was lost.
  UvHandle<UvStream> take();
  void close() noexcept;

  int port = 0;

 private:
  static void came(uv_stream_t* handle, int status);
  void accept_held_back();
  void empty_backlog();

  UvHandle<UvStream> handle_;
  int status_ = 0;  // an error for the next accept()
  std::deque<UvHandle<UvStream>> arrived_;
  bool held_back_ = false;  // libuv has one more, and waits until we accept it
};

/// Accepts a few, so that close() has less to do; libuv before 1.45 accepts all in one tick, later
/// versions one in each tick.
void Listener::State::came(uv_stream_t* handle, int status) {
  State& state = *static_cast<State*>(handle->data);
  if (status < 0) {
    state.status_ = status;
  } else {
    state.held_back_ = true;
    if (state.arrived_.size() < most_arrived) {
      run_in_callback([&state] { state.accept_held_back(); });  // otherwise take() does it
    }
  }
  state.wake_all();
}

void Listener::State::accept_held_back() {
  arrived_.push_back(make_tcp(loop()));
  held_back_ = false;
  if (uv_accept(&handle_->stream, &arrived_.back()->stream) != 0) arrived_.pop_back();
}

UvHandle<UvStream> Listener::State::take() {
  if (held_back_) accept_held_back();
  if (arrived_.empty()) {
    check(handle_ ? std::exchange(status_, 0) : status_, "cannot accept");
    return nullptr;
  }
  UvHandle<UvStream> first = std::move(arrived_.front());
  arrived_.pop_front();
  return first;
}

/// The system would reset the connections that are still in its backlog.
void Listener::State::empty_backlog() {
  if (held_back_) accept_held_back();
  int descriptor = -1;
  uv_fileno(reinterpret_cast<uv_handle_t*>(handle_.get()), &descriptor);
  for (;;) {
    arrived_.push_back(make_tcp(loop()));
    const int client = ::accept4(descriptor, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (client < 0) return arrived_.pop_back();
    uv_tcp_open(&arrived_.back()->tcp, client);
  }
}

void Listener::State::close() noexcept {
  if (!handle_) return;
  run_in_callback([this] { empty_backlog(); });
  held_back_ = false;
  handle_.reset();
  status_ = UV_ECANCELED;
  wake_all();
}

Listener::Listener(const Address& address) : state_(std::make_shared<State>(address)) {}

Coroutine<Stream> Listener::accept_from(std::shared_ptr<State> state, std::source_location where) {
  if (!state) throw UvError(UV_ECANCELED, "cannot accept");  // it was moved from
  UvHandle<UvStream> client;
  while (!client) {
    co_await EventAwaiter(*state, where);
    client = state->take();
  }
  co_return Stream(std::move(client));
}

void Listener::close() noexcept {
  if (state_) state_->close();
}

int Listener::port() const {
  if (!state_) throw UvError(UV_EBADF, "the listener was moved from");
  return state_->port;
}

}  // namespace coop
