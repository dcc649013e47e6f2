#pragma once

#include <uv.h>

#include <memory>
#include <string>
#include <utility>

#include "uv_event.hpp"

namespace coop {

/// Something that libuv is asked once, and answers once: `Uv` is uv_getaddrinfo_t, uv_fs_t and the
/// like, `Data` what else it needs meanwhile. It belongs to itself until the answer has come, so
/// that the task that asked may be cancelled and go.
template <typename Uv, typename Data>
class Request final : public UvEvent {
 public:
  explicit Request(std::string description) : description_(std::move(description)) {
    uv.data = this;
  }

  static Request& of(Uv* uv) { return *static_cast<Request*>(uv->data); }

  bool is_ready() const override { return answered_; }
  std::string description() const override { return description_; }

  /// For libuv's callback.
  void answer(int with) {
    const std::shared_ptr<Request> keep = std::move(self_);
    status = with;
    answered_ = true;
    happen();
  }

  Uv uv{};
  Data data{};
  int status = 0;  ///< the answer; negative: an error

 private:
  template <typename R>
  friend class Sent;

  std::string description_;
  std::shared_ptr<Request> self_;
  bool answered_ = false;
};

/// Stands for: libuv has the request. If the task goes before the answer has come, it is taken back
/// if it has not been begun yet; if it has, the answer comes and nobody hears it.
template <typename R>
class Sent {
 public:
  explicit Sent(std::shared_ptr<R> request) : request_(std::move(request)) {
    request_->self_ = request_;
  }
  Sent(const Sent&) = delete;
  Sent& operator=(const Sent&) = delete;
  ~Sent() {
    if (!request_->answered_) uv_cancel(reinterpret_cast<uv_req_t*>(&request_->uv));
  }

 private:
  std::shared_ptr<R> request_;
};

}  // namespace coop
