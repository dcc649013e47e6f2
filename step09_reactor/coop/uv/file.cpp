#include "file.hpp"

#include <algorithm>
#include <deque>
#include <stdexcept>

#include "request.hpp"

namespace coop {
namespace {

constexpr std::size_t most_to_read = 1 << 20;

/// What a request has given, whose own memory is freed.
int result_of(uv_fs_t* uv) {
  const auto result = static_cast<int>(uv->result);
  uv_fs_req_cleanup(uv);
  return result;
}

}  // namespace

/// The descriptor. It belongs to the File, to the requests that a thread may work at, and to those
/// who wait; the last of them closes it.
struct File::Opened {
  struct Part {
    std::shared_ptr<Opened> of;
    std::string bytes;
    std::size_t written = 0;
  };
  using Transfer = Request<uv_fs_t, Part>;

  Opened(Descriptor owned, std::string path)
      : descriptor(std::move(owned)), name(std::move(path)) {}
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  void begin_writing(uv_loop_t* loop);
  void end_writing(int result);
  static void wrote(uv_fs_t* uv);

  Descriptor descriptor;
  std::string name;
  bool is_read = false;
  ManualEvent closed{"the end of a file"};
  std::deque<std::shared_ptr<Transfer>> writes;  // the first has been begun
};

File::File(Descriptor descriptor, std::string name)
    : opened_(std::make_shared<Opened>(std::move(descriptor), std::move(name))) {}

File::~File() {
  close();
}

std::shared_ptr<File::Opened> File::get() const {
  if (!opened_) throw UvError(UV_EBADF, "the file is closed");
  return opened_;
}

void File::close() noexcept {
  if (!opened_) return;
  const std::shared_ptr<Opened> opened = std::move(opened_);
  while (opened->writes.size() > 1) opened->writes.pop_back();
  opened->closed.set();
}

Coroutine<std::string> File::read(std::size_t at_most) {
  const std::shared_ptr<Opened> opened = get();
  const std::string doing = "cannot read " + opened->name;
  if (opened->is_read) throw std::logic_error("Somebody else is reading this file");
  const auto done = [](Opened* file) { file->is_read = false; };
  const std::unique_ptr<Opened, decltype(done)> only_one(opened.get(), done);
  opened->is_read = true;

  const auto reading = std::make_shared<Opened::Transfer>("bytes of " + opened->name);
  std::string& bytes = reading->data.bytes;
  reading->data.of = opened;
  bytes.resize(std::min(at_most, most_to_read));
  const uv_buf_t buffer{bytes.data(), bytes.size()};
  const auto was_read = [](uv_fs_t* uv) { Opened::Transfer::of(uv).answer(result_of(uv)); };
  check(uv_fs_read(UvReactor::current().loop(), &reading->uv, opened->descriptor.get(), &buffer, 1,
                   -1, was_read),
        doing);
  const Sent sent(reading);
  const std::size_t which = co_await wait_any(*reading, opened->closed);
  if (which == 1) throw UvError(UV_ECANCELED, doing);
  bytes.resize(static_cast<std::size_t>(check(reading->status, doing)));
  co_return std::move(bytes);
}

/// Here nobody takes the request back when the task goes: what was handed over is written.
Coroutine<> File::write(std::string data) {
  const std::shared_ptr<Opened> opened = get();
  const auto writing = std::make_shared<Opened::Transfer>("room in " + opened->name);
  writing->data.of = opened;
  writing->data.bytes = std::move(data);
  opened->writes.push_back(writing);
  if (opened->writes.size() == 1) opened->begin_writing(UvReactor::current().loop());
  const std::size_t which = co_await wait_any(*writing, opened->closed);
  check(which == 1 ? UV_ECANCELED : writing->status, "cannot write " + opened->name);
}

/// Begins with the first write, or the rest of it, if there is one.
void File::Opened::begin_writing(uv_loop_t* loop) {
  while (!writes.empty()) {
    Transfer& first = *writes.front();
    std::string& bytes = first.data.bytes;
    const std::size_t written = first.data.written;
    const uv_buf_t rest{bytes.data() + written, bytes.size() - written};
    const int result = uv_fs_write(loop, &first.uv, descriptor.get(), &rest, 1, -1, wrote);
    if (result == 0) return;
    end_writing(result);
  }
}

void File::Opened::end_writing(int result) {
  const std::shared_ptr<Transfer> first = std::move(writes.front());
  writes.pop_front();
  first->answer(result);
}

/// libuv writes all it can. If an error stops it on its way, it only says how much it has written:
/// trying the rest finds the error.
void File::Opened::wrote(uv_fs_t* uv) {
  uv_loop_t* const loop = uv->loop;
  Part& part = Transfer::of(uv).data;
  const std::shared_ptr<Opened> opened = part.of;
  const int result = result_of(uv);
  if (result > 0) part.written += static_cast<std::size_t>(result);
  const bool is_rest = result > 0 && part.written < part.bytes.size();
  if (!is_rest || opened->closed.is_ready()) opened->end_writing(result);
  opened->begin_writing(loop);
}

Coroutine<std::unique_ptr<File>> open_file(std::string path, int flags, int mode,
                                           std::source_location where) {
  using Opening = Request<uv_fs_t, Descriptor>;
  const auto opening = std::make_shared<Opening>("the opening of " + path);
  const auto was_opened = [](uv_fs_t* uv) {  // if nobody waits any more, it is closed at once
    Opening& request = Opening::of(uv);
    const int result = result_of(uv);
    request.data = Descriptor(result);
    request.answer(result);
  };
  check(
      uv_fs_open(UvReactor::current().loop(), &opening->uv, path.c_str(), flags, mode, was_opened),
      "cannot open " + path);
  const Sent sent(opening);
  co_await wait(*opening, where);
  check(opening->status, "cannot open " + path);
  co_return std::make_unique<File>(std::move(opening->data), path);
}

}  // namespace coop
