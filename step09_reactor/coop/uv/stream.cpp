#include "stream.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "file.hpp"
#include "uv_event.hpp"

namespace coop {
using namespace detail;

/// The state of a stream, and the event that there is something to read. After a read, libuv
/// listens on, because to stop and to start again costs more system calls than all the rest. It
/// stops when something arrives that no task waits for, so that the peer has to wait.
///
/// A connection that was accepted belongs to us until a task has to wait for it, and then to libuv.
class Stream::Opened final : public Io::Opened, public UvEvent {
 public:
  explicit Opened(UvHandle<UvStream> handle) : handle_(std::move(handle)) {
    handle_->stream.data = this;
    auto* const any = reinterpret_cast<uv_handle_t*>(handle_.get());
    check(uv_fileno(any, &descriptor_), "cannot use a stream");
  }
  explicit Opened(Descriptor connection)
      : connection_(std::move(connection)), descriptor_(connection_.get()) {}

  Coroutine<std::string> read(std::shared_ptr<Io::Opened> self, std::size_t at_most,
                              std::source_location where) override;
  Coroutine<> write(std::shared_ptr<Io::Opened> self, std::string data,
                    std::source_location where) override;
  Coroutine<> end_writing(std::shared_ptr<Io::Opened> self, std::source_location where);
  void close() noexcept override {
    end(UV_ECANCELED);
    handle_.reset();  // libuv answers the writes
    connection_ = Descriptor();
    descriptor_ = -1;
  }

  void no_delay() {
    const bool is_tcp = stream()->type == UV_TCP;
    check(is_tcp ? uv_tcp_nodelay(&handle_->tcp, 1) : UV_ENOTSUP, "cannot send without delay");
  }

  int descriptor() const { return descriptor_; }
  void ask_now(std::size_t at_most);

  bool is_ready() const override { return status_ < 0 || !data_.empty(); }

 protected:
  void start() override {
    if (!listening_) check(uv_read_start(stream(), allocate, received), "cannot read");
    listening_ = true;
    UvEvent::start();
  }

 private:
  static Opened& of(void* handle) {
    return *static_cast<Opened*>(static_cast<uv_handle_t*>(handle)->data);
  }
  static void allocate(uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
    std::array<char, 65536>& bytes = of(handle).buffer();
    *buffer = uv_buf_t{bytes.data(), bytes.size()};
  }
  static void received(uv_stream_t* handle, ssize_t result, const uv_buf_t*);

  uv_stream_t* stream();
  int write_now(std::string& data);
  std::string take(std::size_t at_most);
  void add(ssize_t result);
  void end(int status);

  UvHandle<UvStream> handle_;
  Descriptor connection_;  // none, if libuv has it
  int descriptor_ = -1;
  unsigned reads_ = 0;
  unsigned writes_ = 0;
  bool listening_ = false;
  int status_ = 0;
  std::string data_;
};

/// Returns it for the functions of libuv.
uv_stream_t* Stream::Opened::stream() {
  if (connection_.get() >= 0) {
    UvHandle<UvStream> handle = make_tcp(loop());
    handle->stream.data = this;
    check(uv_tcp_open(&handle->tcp, connection_.get()), "cannot use a connection");
    connection_.release();
    handle_ = std::move(handle);
  }
  if (!handle_) throw UvError(UV_ECANCELED, "the stream was closed");
  return &handle_->stream;
}

Coroutine<std::string> Stream::Opened::read([[maybe_unused]] std::shared_ptr<Io::Opened> self,
                                            std::size_t at_most, std::source_location where) {
  const OnlyReader only_reader(is_read_);
  if (++reads_ % 16 == 0) {
    co_await yield();
  }
  if (!listening_) ask_now(at_most);
  co_await EventAwaiter(*this, where);
  co_return take(at_most);
}

/// Asks the system at once, which saves it a call to watch, and us a turn. Not for a terminal or a
/// pipe: another process might take the bytes first, and this would block.
void Stream::Opened::ask_now(std::size_t at_most) {
  if (is_ready() || at_most == 0) return;
  const std::size_t n = std::min(at_most, buffer().size());
  const ssize_t count = ::recv(descriptor_, buffer().data(), n, MSG_DONTWAIT);
  if (count >= 0) {
    add(count > 0 ? count : static_cast<ssize_t>(UV_EOF));
  } else if (errno != EAGAIN && errno != EINTR && errno != ENOTSOCK) {
    // The system reports an error once, so libuv would not see it.
    end(uv_translate_sys_error(errno));
  }
}

std::string Stream::Opened::take(std::size_t at_most) {
  if (data_.empty() && status_ != UV_EOF) check(status_, "cannot read");
  if (data_.size() <= at_most) return std::exchange(data_, {});
  std::string some = data_.substr(0, at_most);
  data_.erase(0, at_most);
  return some;
}

/// libuv never listens to a pipe for longer than one read: another process may have made the pipe
/// blocking, and then the second attempt of libuv would block.
void Stream::Opened::received(uv_stream_t* handle, ssize_t result, const uv_buf_t*) {
  if (result == 0) return;  // nothing was there after all
  Opened& opened = of(handle);
  if (!opened.is_awaited() || handle->type != UV_TCP) {
    uv_read_stop(handle);
    opened.listening_ = false;
  }
  opened.add(result);
}

/// Adds that many bytes of the buffer, or an error.
void Stream::Opened::add(ssize_t result) {
  if (result < 0) return end(static_cast<int>(result));
  const auto n = static_cast<std::size_t>(result);
  const int error = run_in_callback([this, n] { data_.append(buffer().data(), n); });
  if (error != 0) return end(error);
  wake_all();
}

/// Nothing more will arrive.
void Stream::Opened::end(int status) {
  if (listening_) uv_read_stop(stream());
  listening_ = false;
  status_ = status;
  wake_all();
}

/// Returns how many bytes the system has taken, or an error.
int Stream::Opened::write_now(std::string& data) {
  if (connection_.get() < 0) {
    const uv_buf_t buffer{data.data(), data.size()};
    return uv_try_write(stream(), &buffer, 1);
  }
  const ssize_t count = ::send(descriptor_, data.data(), data.size(), MSG_DONTWAIT);
  if (count >= 0) return static_cast<int>(count);
  return errno == EINTR ? UV_EAGAIN : uv_translate_sys_error(errno);
}

Coroutine<> Stream::Opened::write([[maybe_unused]] std::shared_ptr<Io::Opened> self,
                                  std::string data, std::source_location where) {
  const int written = write_now(data);
  if (written != UV_EAGAIN) data.erase(0, static_cast<std::size_t>(check(written, "cannot write")));
  if (data.empty()) {
    if (++writes_ % 16 == 0) {
      co_await yield();
    }
    co_return;
  }
  using Writing = UvRequest<uv_write_t, std::string>;
  const auto writing = std::make_shared<Writing>("cannot write", std::move(data));
  const uv_buf_t buffer{writing->data.data(), writing->data.size()};
  const int sent = uv_write(&writing->uv, stream(), &buffer, 1, Writing::done);
  co_await Sent(writing, sent, where);
}

Coroutine<> Stream::Opened::end_writing([[maybe_unused]] std::shared_ptr<Io::Opened> self,
                                        std::source_location where) {
  using Ending = UvRequest<uv_shutdown_t, char>;
  const auto ending = std::make_shared<Ending>("cannot end writing");
  const int sent = uv_shutdown(&ending->uv, stream(), Ending::done);
  co_await Sent(ending, sent, where);
}

Stream::Stream(UvHandle<UvStream> handle)
    : Io(handle ? std::make_shared<Opened>(std::move(handle)) : nullptr) {}

Stream::Stream(Descriptor connection)
    : Io(std::allocate_shared<Opened>(PoolAllocator<Opened>(), std::move(connection))) {}

Coroutine<> Stream::end_writing(const std::source_location& where) {
  return static_cast<Opened&>(opened()).end_writing(opened_, where);
}

Event& Stream::readable() const {
  Opened& stream = static_cast<Opened&>(opened());
  stream.ask_now(65536);
  return stream;
}

void Stream::no_delay() {
  static_cast<Opened&>(opened()).no_delay();
}

int Stream::descriptor() const {
  return static_cast<Opened&>(opened()).descriptor();
}

Address Stream::peer() const {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  auto* const address = reinterpret_cast<sockaddr*>(&storage);
  const bool is_error = ::getpeername(descriptor(), address, &size) < 0;
  const int other = storage.ss_family == AF_UNIX ? UV_ENOTSUP : 0;
  check(is_error ? uv_translate_sys_error(errno) : other, "the stream has no peer");
  return Address(address);
}

}  // namespace coop
