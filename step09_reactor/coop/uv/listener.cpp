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
  } else if (listener.arrived_.size() < most_arrived) {
    listener.take();
  } else {
    listener.one_more_ = true;
  }
  listener.happen();
}

void Listener::take() {
  UvHandle<UvStream> client = make_tcp(loop());
  if (uv_accept(&handle_->stream, &client->stream) == 0) arrived_.push_back(std::move(client));
}

Coroutine<std::unique_ptr<Stream>> Listener::accept() {
  while (!is_ready()) {
    co_await wait(*this);
  }
  if (arrived_.empty()) check(handle_ ? std::exchange(status_, 0) : status_, "cannot accept");
  auto client = std::make_unique<Stream>(std::move(arrived_.front()));
  arrived_.pop_front();
  if (std::exchange(one_more_, false)) take();
  co_return client;
}

void Listener::close() noexcept {
  if (!handle_) return;
  if (std::exchange(one_more_, false)) take();
  handle_.reset();
  status_ = UV_ECANCELED;
  happen();
}

}  // namespace coop
