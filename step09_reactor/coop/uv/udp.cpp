#include "udp.hpp"

#include <stdexcept>

#include "request.hpp"

namespace coop {

/// One datagram that somebody waits for, in the frame of whoever does.
class Udp::Receiving final : public UvEvent {
 public:
  explicit Receiving(Udp& udp) : udp_(&udp) {
    if (udp.receiving_) throw std::logic_error("Somebody else is receiving from this socket");
    udp.receiving_ = this;
  }
  Receiving(const Receiving&) = delete;
  Receiving& operator=(const Receiving&) = delete;
  ~Receiving() override {
    if (udp_) udp_->receiving_ = nullptr;
  }

  bool is_ready() const override { return false; }
  std::string description() const override { return "a datagram"; }
  void start(Task& waiter) override {
    check(uv_udp_recv_start(udp_->get(), allocate, received), "cannot receive");
    UvEvent::start(waiter);
  }
  void stop(Task& waiter) noexcept override {
    UvEvent::stop(waiter);
    if (udp_) uv_udp_recv_stop(udp_->handle_.get());
  }

  /// The socket is closed, and maybe gone before whoever waits.
  void close() {
    udp_ = nullptr;
    finish(UV_ECANCELED);
  }

  Datagram take() {
    check(status_, "cannot receive");
    return std::move(*datagram_);
  }

 private:
  void finish(int status) {
    status_ = status;
    happen();
  }

  static Receiving& of(uv_udp_t* handle) { return *static_cast<Udp*>(handle->data)->receiving_; }

  static void allocate(uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
    auto& bytes = of(reinterpret_cast<uv_udp_t*>(handle)).reactor().buffer();
    *buffer = uv_buf_init(bytes.data(), static_cast<unsigned>(bytes.size()));
  }

  static void received(uv_udp_t* handle, ssize_t result, const uv_buf_t* buffer,
                       const sockaddr* sender, unsigned) {
    if (result == 0 && !sender) return;  // nothing there after all
    Receiving& receiving = of(handle);
    if (result < 0) return receiving.finish(static_cast<int>(result));
    receiving.finish(run_in_callback([&] {
      const std::string data(buffer->base, static_cast<std::size_t>(result));
      receiving.datagram_.emplace(data, Address(sender));
    }));
  }

  Udp* udp_;
  int status_ = 0;
  std::optional<Datagram> datagram_;
};

Udp::Udp()
    : handle_(
          make_handle<uv_udp_t>("cannot make a socket", uv_udp_init, UvReactor::current().loop())) {
  handle_->data = this;
}

Udp::~Udp() {
  close();
}

uv_udp_t* Udp::get() const {
  if (!handle_) throw UvError(UV_EBADF, "the socket is closed");
  return handle_.get();
}

void Udp::bind(const Address& address) {
  check(uv_udp_bind(get(), address.get(), 0), "cannot listen on " + address.text());
}

Coroutine<Datagram> Udp::receive() {
  Receiving receiving(*this);
  co_await wait(receiving);
  co_return receiving.take();
}

Coroutine<> Udp::send(std::string data, Address to) {
  using Sending = Request<uv_udp_send_t, std::string>;
  const std::string doing = "cannot send to " + to.text();
  const auto sending = std::make_shared<Sending>("room to send");
  sending->data = std::move(data);
  const uv_buf_t buffer{sending->data.data(), sending->data.size()};
  const auto was_sent = [](uv_udp_send_t* uv, int status) { Sending::of(uv).answer(status); };
  check(uv_udp_send(&sending->uv, get(), &buffer, 1, to.get(), was_sent), doing);
  const Sent sent(sending);
  co_await wait(*sending);
  check(sending->status, doing);
}

void Udp::close() noexcept {
  handle_.reset();  // libuv tells those who send
  if (Receiving* const waiting = std::exchange(receiving_, nullptr)) waiting->close();
}

int Udp::port() const {
  sockaddr_storage own{};
  int size = sizeof own;
  check(uv_udp_getsockname(get(), reinterpret_cast<sockaddr*>(&own), &size), "there is no port");
  return Address(reinterpret_cast<const sockaddr*>(&own)).port();
}

}  // namespace coop
