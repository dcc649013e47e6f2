#include "listener.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <deque>

#include "file.hpp"
#include "uv_event.hpp"

namespace coop {
using namespace detail;
namespace {

/// Owns a new socket. Child processes don't get it, unless another thread starts one right now.
Descriptor kept_from_children(int socket) {
  if (socket >= 0) ::fcntl(socket, F_SETFD, FD_CLOEXEC);
  return Descriptor(socket);
}

/// uv_poll_init() makes it non-blocking.
Descriptor listen_on(const Address& address) {
  const int family = address.get()->sa_family, yes = 1;
  Descriptor own = kept_from_children(::socket(family, SOCK_STREAM, 0));
  if (own.get() < 0 || ::setsockopt(own.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0 ||
      ::bind(own.get(), address.get(), sizeof(sockaddr_storage)) < 0 ||
      ::listen(own.get(), SOMAXCONN) < 0) {
    throw UvError(uv_translate_sys_error(errno), "cannot listen on " + address.text());
  }
  return own;
}

Descriptor kept_for_later() {
  return Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

}  // namespace

/// The state of a listener, and the event that a client has connected. Like a stream, it is watched
/// until one connects for which no task waits.
class Listener::State final : public UvEvent {
 public:
  explicit State(const Address& address)
      : socket_(listen_on(address)),
        handle_(make_handle<uv_poll_t>("cannot listen", uv_poll_init, loop(), socket_.get())) {
    handle_->data = this;
    make_tcp(loop());  // libuv opens a descriptor with the first one: now, and not for a client
    sockaddr_storage storage{};
    socklen_t size = sizeof storage;
    auto* const own = reinterpret_cast<sockaddr*>(&storage);
    if (::getsockname(socket_.get(), own, &size) < 0) fail();
    port = Address(own).port();
  }

  Descriptor take();
  void close() noexcept override;

  int port = 0;
  unsigned accepts = 0;

 protected:
  void start() override {
    if (!listening_) check(uv_poll_start(handle_.get(), UV_READABLE, came), "cannot accept");
    listening_ = true;
    UvEvent::start();
  }

 private:
  static void came(uv_poll_t* handle, int status, int);
  [[noreturn]] static void fail() { throw UvError(uv_translate_sys_error(errno), "cannot accept"); }
  Descriptor accept() const {
    return kept_from_children(::accept(socket_.get(), nullptr, nullptr));
  }
  void send_away();

  Descriptor socket_;
  UvHandle<uv_poll_t> handle_;
  bool listening_ = false;
  Descriptor spare_ = kept_for_later();
  std::deque<Descriptor> backlog_;  // of a listener that is closed
};

void Listener::State::came(uv_poll_t* handle, int status, int) {
  State& state = *static_cast<State*>(handle->data);
  if (status < 0 || !state.is_awaited()) {
    uv_poll_stop(handle);
    state.listening_ = false;
  }
  state.wake_all();
}

/// Returns the next connection, or none if no client has connected.
Descriptor Listener::State::take() {
  if (!handle_) {
    if (backlog_.empty()) throw UvError(UV_ECANCELED, "cannot accept");
    Descriptor first = std::move(backlog_.front());
    backlog_.pop_front();
    return first;
  }
  Descriptor client = accept();
  if (client.get() < 0) {
    if (errno == EMFILE || errno == ENFILE) {
      send_away();
    } else if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
      fail();
    }
  }
  return client;
}

/// Without a descriptor, a client would wait, and we would hear of it again and again. So it gets
/// the spare one, and is closed before we open that again.
void Listener::State::send_away() {
  spare_ = Descriptor();
  const int error = accept().get() < 0 ? errno : 0;
  spare_ = kept_for_later();
  errno = error;
  if (error != 0 && error != EAGAIN) fail();
}

/// The system would reset the connections that are still in its backlog.
void Listener::State::close() noexcept {
  if (!handle_) return;
  run_in_callback([this] {
    for (Descriptor client = accept(); client.get() >= 0; client = accept()) {
      backlog_.push_back(std::move(client));
    }
  });
  handle_.reset();
  socket_ = Descriptor();
  wake_all();
}

Listener::Listener(const Address& address) : state_(std::make_shared<State>(address)) {}

Coroutine<Stream> Listener::accept_from(std::shared_ptr<State> state, std::source_location where) {
  if (!state) throw UvError(UV_ECANCELED, "cannot accept");  // it was moved from
  if (++state->accepts % 16 == 0) {
    co_await yield();  // to serve these clients while they are in the cache, and for other tasks
  }
  while (true) {
    Descriptor client = state->take();
    if (client.get() >= 0) co_return Stream(std::move(client));
    co_await EventAwaiter(*state, where);
  }
}

void Listener::close() noexcept {
  if (state_) state_->close();
}

int Listener::port() const {
  if (!state_) throw UvError(UV_EBADF, "the listener was moved from");
  return state_->port;
}

}  // namespace coop
