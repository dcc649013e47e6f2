#include "listener.hpp"

#include <sys/socket.h>

#include <utility>

namespace coop {

constexpr std::size_t most_arrived = 64;  // the others wait with the system

Listener::Listener(const Address& address) : handle_(make_tcp()) {
  const std::string doing = "cannot listen on " + address.text();
  handle_->stream.data = this;
  check(uv_tcp_bind(&handle_->tcp, address.get(), 0), doing);
  check(uv_listen(&handle_->stream, SOMAXCONN, came), doing);
  sockaddr_storage own{};
  int size = sizeof own;
  check(uv_tcp_getsockname(&handle_->tcp, reinterpret_cast<sockaddr*>(&own), &size), doing);
  port_ = Address(reinterpret_cast<const sockaddr*>(&own)).port();
}

/// libuv before 1.45 accepts all that have come in one go, later ones one in each tick.
void Listener::came(uv_stream_t* handle, int status) {
  Listener& listener = *static_cast<Listener*>(handle->data);
  if (status < 0) {
    listener.status_ = status;
  } else {
    listener.held_back_ = true;
    if (listener.arrived_.size() < most_arrived) {
      run_in_callback([&listener] { listener.take(); });  // accept() tries again, and throws
    }
  }
  listener.happen();
}

void Listener::take() {
  arrived_.push_back(make_tcp(loop()));
  held_back_ = false;
  if (uv_accept(&handle_->stream, &arrived_.back()->stream) != 0) arrived_.pop_back();
}

Coroutine<std::unique_ptr<Stream>> Listener::accept() {
  while (arrived_.empty() && status_ == 0) {
    co_await wait(*this);
    if (held_back_) take();
  }
  if (arrived_.empty()) check(handle_ ? std::exchange(status_, 0) : status_, "cannot accept");
  UvHandle<UvStream> client = std::move(arrived_.front());
  arrived_.pop_front();
  co_return std::make_unique<Stream>(std::move(client));
}

void Listener::close() noexcept {
  if (!handle_) return;
  if (held_back_) run_in_callback([this] { take(); });
  held_back_ = false;
  handle_.reset();
  status_ = UV_ECANCELED;
  happen();
}

}  // namespace coop
