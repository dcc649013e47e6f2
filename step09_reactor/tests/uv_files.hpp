#pragma once

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

/// A folder that is there as long as this lives.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "coop-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// A named pipe. Whoever opens it as a File keeps a thread busy until there is something to read,
/// or room to write.
class Fifo {
 public:
  Fifo() {
    if (::mkfifo(path().c_str(), 0600) != 0) throw std::runtime_error("no named pipe");
    descriptor_ = ::open(path().c_str(), O_RDWR | O_CLOEXEC);
  }
  Fifo(const Fifo&) = delete;
  ~Fifo() { ::close(descriptor_); }

  std::string path() const { return folder_ / "fifo"; }
  void put(const std::string& text) const {
    if (::write(descriptor_, text.data(), text.size()) < 0) throw std::runtime_error("no room");
  }
  std::string take(std::size_t size) const {
    std::string text(size, ' ');
    const ssize_t taken = ::read(descriptor_, text.data(), size);
    text.resize(taken < 0 ? 0 : static_cast<std::size_t>(taken));
    return text;
  }
  int size() const {
    int size = 0;
    ::ioctl(descriptor_, FIONREAD, &size);
    return size;
  }

 private:
  TemporaryFolder folder_;
  int descriptor_ = -1;
};

inline std::string text_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Text in which no part is like another.
inline std::string long_text(std::size_t size) {
  std::string text;
  while (text.size() < size) text += std::to_string(text.size()) + "\n";
  text.resize(size);
  return text;
}
