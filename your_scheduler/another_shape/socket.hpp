#pragma once

// A solution in another shape than ours: only what the stages need, and a pointer with a deleter.

#include <sys/socket.h>
#include <unistd.h>

#include <memory>

class Socket {
 public:
  explicit Socket(int fd)
      : fd_(new int(fd), [](int* p) {
          ::close(*p);
          delete p;
        }) {}
  int fd() const { return *fd_; }

 private:
  std::shared_ptr<int> fd_;
};
