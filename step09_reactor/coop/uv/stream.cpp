#include "stream.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>

#include "request.hpp"

namespace coop {

/// One read, in the frame of whoever reads. Bytes go through a buffer that all streams share: libuv
/// fills it and tells us in one go.
class Stream::Reading final : public UvEvent {
 public:
  Reading(Stream& stream, std::size_t at_most)
      : stream_(stream), size_(std::min(at_most, reactor().buffer().size())) {
    if (stream.reading_) throw std::logic_error("Somebody else is reading this stream");
    stream.reading_ = this;
  }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() override { stream_.reading_ = nullptr; }

  /// Most often the bytes are there already. Asking the system at once spares it a call to watch,
  /// and us a turn.
  void try_now() {
    const ssize_t count = ::read(stream_.descriptor_, reactor().buffer().data(), size_);
    if (count >= 0) finish(count > 0 ? count : static_cast<ssize_t>(UV_EOF));
  }

  bool is_ready() const override { return finished_; }
  std::string description() const override { return "something to read"; }
  void start(Task& waiter) override {
    check(uv_read_start(stream_.stream(), allocate, received), "cannot read");
    UvEvent::start(waiter);
  }
  void stop(Task& waiter) noexcept override {
    UvEvent::stop(waiter);
    if (stream_.handle_) uv_read_stop(stream_.stream());
  }

  /// How many bytes there are, or UV_EOF, or an error.
  void finish(ssize_t result) {
    finished_ = true;
    result_ = result;
    if (result > 0) data_.assign(reactor().buffer().data(), static_cast<std::size_t>(result));
    happen();
  }

  std::string take() {
    if (result_ != UV_EOF) check(static_cast<int>(result_), "cannot read");
    return std::move(data_);
  }

 private:
  static Reading& of(uv_stream_t* handle) { return *static_cast<Stream*>(handle->data)->reading_; }

  static void allocate(uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
    Reading& reading = of(reinterpret_cast<uv_stream_t*>(handle));
    *buffer = uv_buf_init(reading.reactor().buffer().data(), static_cast<unsigned>(reading.size_));
  }

  static void received(uv_stream_t* handle, ssize_t result, const uv_buf_t*) {
    if (result != 0) of(handle).finish(result);  // 0: nothing there after all
  }

  Stream& stream_;
  std::size_t size_;
  bool finished_ = false;
  ssize_t result_ = 0;
  std::string data_;
};

Stream::Stream(UvHandle<UvStream> handle) : handle_(std::move(handle)) {
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
  if (!handle_) return;
  if (reading_) {
    uv_read_stop(&handle_->stream);
    reading_->finish(UV_ECANCELED);
  }
  handle_.reset();  // libuv tells those who write
}

Coroutine<std::string> Stream::read(std::size_t at_most) {
  if (++reads_in_a_row_ % 16 == 0) co_await suspend();
  stream();
  Reading reading(*this, at_most);
  reading.try_now();
  co_await wait(reading);
  co_return reading.take();
}

Coroutine<> Stream::write(std::string data) {
  uv_buf_t buffer{data.data(), data.size()};
  const int written = uv_try_write(stream(), &buffer, 1);
  if (written != UV_EAGAIN) data.erase(0, static_cast<std::size_t>(check(written, "cannot write")));
  if (data.empty()) co_return;

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

UvHandle<UvStream> make_tcp() {
  const auto init = [](uv_loop_t* loop, UvStream* handle) {
    return uv_tcp_init(loop, &handle->tcp);
  };
  return make_handle<UvStream>("cannot make a socket", init, UvReactor::current().loop());
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
