#include "stream.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>

#include "request.hpp"

namespace coop {

/// What has come and has not been read yet. libuv goes on listening after a read, since telling the
/// system to stop and to start again costs more than all the rest; it stops when something comes
/// that nobody waits for. Bytes go through a buffer that all streams share: libuv fills it and
/// tells us in one go.
class Stream::Incoming final : public UvEvent {
 public:
  explicit Incoming(Stream& stream) : stream_(stream) {}

  bool is_being_read = false;

  bool is_ready() const override { return status_ < 0 || !data_.empty(); }
  std::string description() const override { return "something to read"; }

  void start(Task& waiter) override {
    if (!listening_) check(uv_read_start(stream_.stream(), allocate, received), "cannot read");
    listening_ = true;
    is_awaited_ = true;
    UvEvent::start(waiter);
  }
  void stop(Task& waiter) noexcept override {
    is_awaited_ = false;
    UvEvent::stop(waiter);
  }

  /// Most often the bytes are there already. Asking the system at once spares it a call to watch,
  /// and us a turn. Not for a terminal or a pipe: another process might take the bytes, and this
  /// would block.
  void try_now(std::size_t at_most) {
    if (listening_ || is_ready() || at_most == 0) return;
    std::array<char, 65536>& buffer = reactor().buffer();
    const ssize_t count =
        ::recv(stream_.descriptor_, buffer.data(), std::min(at_most, buffer.size()), MSG_DONTWAIT);
    if (count >= 0) {
      add(count > 0 ? count : static_cast<ssize_t>(UV_EOF));
    } else if (errno != EAGAIN && errno != EINTR && errno != ENOTSOCK) {
      end(uv_translate_sys_error(errno));  // the system tells an error once: libuv would see an end
    }
  }

  std::string take(std::size_t at_most) {
    if (data_.empty() && status_ != UV_EOF) check(status_, "cannot read");
    if (data_.size() <= at_most) return std::exchange(data_, {});
    std::string some = data_.substr(0, at_most);
    data_.erase(0, at_most);
    return some;
  }

  /// Nothing more will come.
  void end(int status) {
    if (listening_) uv_read_stop(stream_.stream());
    listening_ = false;
    status_ = status;
    happen();
  }

 private:
  static Incoming& of(uv_stream_t* handle) {
    return *static_cast<Stream*>(handle->data)->incoming_;
  }

  static void allocate(uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
    std::array<char, 65536>& bytes = of(reinterpret_cast<uv_stream_t*>(handle)).reactor().buffer();
    *buffer = uv_buf_t{bytes.data(), bytes.size()};
  }

  /// A pipe is never listened to for longer than one read: somebody else who has it may have made
  /// it blocking, and then libuv would wait in its second attempt.
  static void received(uv_stream_t* handle, ssize_t result, const uv_buf_t*) {
    if (result == 0) return;  // nothing there after all
    Incoming& incoming = of(handle);
    if (!incoming.is_awaited_ || handle->type != UV_TCP) {
      uv_read_stop(handle);
      incoming.listening_ = false;
    }
    incoming.add(result);
  }

  /// So many bytes, or an error.
  void add(ssize_t result) {
    if (result < 0) return end(static_cast<int>(result));
    const int error = run_in_callback([this, result] {
      data_.append(reactor().buffer().data(), static_cast<std::size_t>(result));
    });
    if (error != 0) return end(error);
    happen();
  }

  Stream& stream_;
  bool listening_ = false;
  bool is_awaited_ = false;
  int status_ = 0;
  std::string data_;
};

/// One task at a time reads. The stream may be destroyed before its frame is.
class Stream::Reading {
 public:
  explicit Reading(std::shared_ptr<Incoming> incoming) : incoming_(std::move(incoming)) {
    incoming_->is_being_read = true;
  }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() { incoming_->is_being_read = false; }

 private:
  std::shared_ptr<Incoming> incoming_;
};

Stream::Stream(UvHandle<UvStream> handle)
    : handle_(std::move(handle)), incoming_(std::make_shared<Incoming>(*this)) {
  handle_->stream.data = this;
  check(uv_fileno(reinterpret_cast<uv_handle_t*>(stream()), &descriptor_), "cannot use a stream");
}

Stream::~Stream() {
  close();
}

uv_stream_t* Stream::stream() const {
  if (!handle_) throw UvError(UV_EBADF, "the stream is closed");
  return &handle_->stream;
}

int Stream::descriptor() const {
  stream();
  return descriptor_;
}

void Stream::close() noexcept {
  incoming_->end(UV_ECANCELED);
  handle_.reset();  // libuv tells those who write
}

Coroutine<std::string> Stream::read(std::size_t at_most) {
  if (++reads_ % 16 == 0) {
    co_await suspend();
  }
  stream();  // throws if it is closed
  if (incoming_->is_being_read) throw std::logic_error("Somebody else is reading this stream");
  const Reading reading(incoming_);
  incoming_->try_now(at_most);
  co_await wait(*incoming_);
  co_return incoming_->take(at_most);
}

Coroutine<> Stream::write(std::string data) {
  uv_buf_t buffer{data.data(), data.size()};
  const int written = uv_try_write(stream(), &buffer, 1);
  if (written != UV_EAGAIN) data.erase(0, static_cast<std::size_t>(check(written, "cannot write")));
  if (data.empty()) {
    if (++writes_ % 16 == 0) {
      co_await suspend();
    }
    co_return;
  }

  using Writing = Request<uv_write_t, std::string>;
  const auto writing = std::make_shared<Writing>("room to write");
  writing->data = std::move(data);
  buffer = {writing->data.data(), writing->data.size()};
  const auto written_all = [](uv_write_t* uv, int status) { Writing::of(uv).answer(status); };
  check(uv_write(&writing->uv, stream(), &buffer, 1, written_all), "cannot write");
  const Sent sent(writing);
  co_await wait(*writing);
  check(writing->status, "cannot write");
}

Coroutine<> Stream::end_writing() {
  using Ending = Request<uv_shutdown_t, char>;
  const auto ending = std::make_shared<Ending>("the end of what is being written");
  const auto ended = [](uv_shutdown_t* uv, int status) { Ending::of(uv).answer(status); };
  check(uv_shutdown(&ending->uv, stream(), ended), "cannot end writing");
  const Sent sent(ending);
  co_await wait(*ending);
  check(ending->status, "cannot end writing");
}

UvHandle<UvStream> make_tcp(uv_loop_t* loop) {
  const auto init = [](uv_loop_t* of, UvStream* handle) { return uv_tcp_init(of, &handle->tcp); };
  return make_handle<UvStream>("cannot make a socket", init, loop);
}

UvHandle<UvStream> make_pipe() {
  const auto init = [](uv_loop_t* loop, UvStream* handle) {
    return uv_pipe_init(loop, &handle->pipe, 0);
  };
  return make_handle<UvStream>("cannot make a pipe", init, UvReactor::current().loop());
}

namespace {

Coroutine<std::unique_ptr<Stream>> connect_to(Address address) {
  using Connecting = Request<uv_connect_t, char>;
  const std::string doing = "cannot connect to " + address.text();
  UvHandle<UvStream> handle = make_tcp();
  const auto connecting = std::make_shared<Connecting>("a connection to " + address.text());
  const auto connected = [](uv_connect_t* uv, int status) { Connecting::of(uv).answer(status); };
  check(uv_tcp_connect(&connecting->uv, &handle->tcp, address.get(), connected), doing);
  const Sent sent(connecting);
  co_await wait(*connecting);
  check(connecting->status, doing);
  co_return std::make_unique<Stream>(std::move(handle));
}

}  // namespace

Coroutine<std::unique_ptr<Stream>> connect(std::vector<Address> addresses) {
  std::exception_ptr error;
  for (const Address& address : addresses) {
    try {
      co_return co_await connect_to(address);
    } catch (const UvError&) {
      error = std::current_exception();
    }
  }
  if (!error) throw std::invalid_argument("There is no address to connect to");
  std::rethrow_exception(error);
}

Address peer_of(const Stream& stream) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (::getpeername(stream.descriptor(), reinterpret_cast<sockaddr*>(&storage), &size) < 0) {
    throw UvError(uv_translate_sys_error(errno), "the peer is gone");
  }
  return Address(reinterpret_cast<const sockaddr*>(&storage));
}

}  // namespace coop
