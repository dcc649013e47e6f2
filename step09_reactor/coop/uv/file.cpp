#include "file.hpp"

#include <algorithm>
#include <deque>

#include "uv_event.hpp"

namespace coop {
using namespace detail;
namespace {

constexpr std::size_t most_to_read = 1 << 20;

/// Returns the result of a request, and frees the memory that libuv has allocated for it.
int result_of(uv_fs_t* uv) {
  const auto result = static_cast<int>(uv->result);
  uv_fs_req_cleanup(uv);
  return result;
}

}  // namespace

/// The last of the File, the requests in a thread and the tasks that wait closes the descriptor.
class File::Opened final : public Io::Opened {
 public:
  Opened(Descriptor owned, std::string path)
      : descriptor_(std::move(owned)), name_(std::move(path)) {}

  Coroutine<std::string> read(std::shared_ptr<Io::Opened> self, std::size_t at_most,
                              std::source_location where) override;
  Coroutine<> write(std::shared_ptr<Io::Opened> self, std::string data,
                    std::source_location where) override;
  void close() noexcept override;

 private:
  struct Part {
    std::shared_ptr<Io::Opened> of;
    std::string bytes;
    std::size_t written = 0;
  };
  using Transfer = UvRequest<uv_fs_t, Part>;

  void begin_writing(uv_loop_t* loop);
  void end_writing(int result);
  static void wrote(uv_fs_t* uv);

  Descriptor descriptor_;
  std::string name_;
  bool is_closed_ = false;
  std::weak_ptr<Transfer> reading_;
  std::deque<std::shared_ptr<Transfer>> writes_;  // the first has been begun
};

Coroutine<std::string> File::Opened::read(std::shared_ptr<Io::Opened> self, std::size_t at_most,
                                          std::source_location where) {
  const OnlyReader only_reader(is_read_);
  const auto reading = std::make_shared<Transfer>("cannot read " + name_);
  std::string& bytes = reading->data.bytes;
  bytes.resize(std::min(at_most, most_to_read));
  reading->data.of = self;
  reading_ = reading;
  const uv_buf_t buffer{bytes.data(), bytes.size()};
  const auto was_read = [](uv_fs_t* uv) { Transfer::of(uv).finish(result_of(uv)); };
  uv_loop_t* const loop = UvReactor::current().loop();  // which may be another one than before
  const int sent = uv_fs_read(loop, &reading->uv, descriptor_.get(), &buffer, 1, -1, was_read);
  const int size = co_await Sent(reading, sent, where);
  bytes.resize(static_cast<std::size_t>(size));
  co_return std::move(bytes);
}

/// Unlike Sent, this doesn't take the request back if the task is cancelled.
Coroutine<> File::Opened::write(std::shared_ptr<Io::Opened> self, std::string data,
                                std::source_location where) {
  const auto writing = std::make_shared<Transfer>("cannot write " + name_);
  writing->data.bytes = std::move(data);
  writing->data.of = std::move(self);
  writes_.push_back(writing);
  if (writes_.size() == 1) begin_writing(UvReactor::current().loop());
  co_await EventAwaiter(*writing, where);
  writing->result();  // throws, if it is an error
}

void File::Opened::close() noexcept {
  is_closed_ = true;
  if (const auto reading = reading_.lock()) reading->answer(UV_ECANCELED);
  for (const auto& writing : writes_) writing->answer(UV_ECANCELED);
  while (writes_.size() > 1) writes_.pop_back();
}

/// Begins with the first write, or with the rest of it, if there is one.
void File::Opened::begin_writing(uv_loop_t* loop) {
  while (!writes_.empty()) {
    Part& part = writes_.front()->data;
    const uv_buf_t rest{part.bytes.data() + part.written, part.bytes.size() - part.written};
    const int result =
        uv_fs_write(loop, &writes_.front()->uv, descriptor_.get(), &rest, 1, -1, wrote);
    if (result == 0) return;
    end_writing(result);
  }
}

void File::Opened::end_writing(int result) {
  const std::shared_ptr<Transfer> first = std::move(writes_.front());
  writes_.pop_front();
  first->finish(result);
}

/// libuv writes as much as it can. If an error stops it, it reports only how much it has written,
/// so this tries the rest, which finds the error.
void File::Opened::wrote(uv_fs_t* uv) {
  Part& part = Transfer::of(uv).data;
  const std::shared_ptr<Io::Opened> self = part.of;
  Opened& file = static_cast<Opened&>(*self);
  uv_loop_t* const loop = uv->loop;
  const int result = result_of(uv);
  if (result > 0) part.written += static_cast<std::size_t>(result);
  const bool has_rest = result > 0 && part.written < part.bytes.size();
  if (!has_rest || file.is_closed_) file.end_writing(result);
  file.begin_writing(loop);
}

File::File(Descriptor descriptor, std::string name)
    : Io(std::make_shared<Opened>(std::move(descriptor), std::move(name))) {}

Coroutine<File> open_file(std::string path, int flags, int mode, std::source_location where) {
  using Opening = UvRequest<uv_fs_t, Descriptor>;
  const std::string doing = "cannot open " + path;
  const char* const name = c_string(path, doing);
  const auto opening = std::make_shared<Opening>(doing);
  const auto was_opened = [](uv_fs_t* uv) {  // if no task waits any longer, this closes it at once
    const int result = result_of(uv);
    Opening::of(uv).data = Descriptor(result);
    Opening::of(uv).finish(result);
  };
  uv_loop_t* const loop = UvReactor::current().loop();
  const int sent = uv_fs_open(loop, &opening->uv, name, flags, mode, was_opened);
  co_await Sent(opening, sent, where);
  co_return File(std::move(opening->data), path);
}

}  // namespace coop
