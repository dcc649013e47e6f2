#include "udp.hpp"

#include "uv_event.hpp"

namespace coop {
using namespace detail;

/// The socket, and the event that a datagram has arrived.
class Udp::State final : public UvEvent {
 public:
  State() : handle_(make_handle<uv_udp_t>("cannot make a socket", uv_udp_init, loop())) {
    handle_->data = this;
  }

  /// Throws UvError with UV_EBADF if the socket is closed, or was moved from.
  static uv_udp_t* get(const State* state) {
    if (!state || !state->handle_) throw UvError(UV_EBADF, "the socket is closed");
    return state->handle_.get();
  }

  bool is_ready() const override { return status_ < 0 || datagram_; }
  Datagram take() {
    check(std::exchange(status_, 0), "cannot receive");
    return *std::exchange(datagram_, std::nullopt);
  }
  void close() noexcept override {
    handle_.reset();  // libuv answers the tasks that send
    finish(UV_ECANCELED);
  }

  bool is_read = false;

 protected:
  void start() override {
    check(uv_udp_recv_start(get(this), allocate, received), "cannot receive");
    UvEvent::start();
  }
  void stop() noexcept override {
    UvEvent::stop();
    if (handle_) uv_udp_recv_stop(handle_.get());
  }

 private:
  static void allocate(uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
    auto& bytes = static_cast<State*>(handle->data)->buffer();
    *buffer = uv_buf_init(bytes.data(), static_cast<unsigned>(bytes.size()));
  }

  static void received(uv_udp_t* handle, ssize_t result, const uv_buf_t* buffer,
                       const sockaddr* sender, unsigned) {
    if (result == 0 && !sender) return;  // nothing was there after all
    State& state = *static_cast<State*>(handle->data);
    if (result < 0) return state.finish(static_cast<int>(result));
    state.finish(run_in_callback([&] {
      const std::string data(buffer->base, static_cast<std::size_t>(result));
      state.datagram_.emplace(data, Address(sender));
    }));
  }

  void finish(int status) {
    status_ = status;
    wake_all();
  }

  UvHandle<uv_udp_t> handle_;
  int status_ = 0;  // an error for the next receive()
  std::optional<Datagram> datagram_;
};

Udp::Udp() : state_(std::make_shared<State>()) {}

void Udp::bind(const Address& address) {
  check(uv_udp_bind(State::get(state_.get()), address.get(), 0),
        "cannot listen on " + address.text());
}

Coroutine<Datagram> Udp::receive_from(std::shared_ptr<State> state, std::source_location where) {
  State::get(state.get());
  const OnlyReader only_reader(state->is_read);
  co_await EventAwaiter(*state, where);
  co_return state->take();
}

Coroutine<> Udp::send_from(std::shared_ptr<State> state, std::string data, Address to,
                           std::source_location where) {
  using Sending = UvRequest<uv_udp_send_t, std::string>;
  const auto sending = std::make_shared<Sending>("cannot send to " + to.text(), std::move(data));
  const uv_buf_t buffer{sending->data.data(), sending->data.size()};
  uv_udp_t* const socket = State::get(state.get());
  const int sent = uv_udp_send(&sending->uv, socket, &buffer, 1, to.get(), Sending::done);
  co_await Sent(sending, sent, where);
}

void Udp::close() noexcept {
  if (state_) state_->close();
}

int Udp::port() const {
  sockaddr_storage own{};
  int size = sizeof own;
  auto* const address = reinterpret_cast<sockaddr*>(&own);
  uv_udp_t* const socket = State::get(state_.get());
  check(uv_udp_getsockname(socket, address, &size), "the socket has no port");
  return Address(address).port();
}

}  // namespace coop
