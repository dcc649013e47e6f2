#include <cerrno>
#include <exception>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "generator.hpp"
#include "usage.hpp"

/// Appends each string that it is sent to a file, as a line. Article: "Coroutines", logger().
class Logger final : public Generator<Nothing, std::string> {
 public:
  explicit Logger(std::string name) : name_(std::move(name)) {}

 private:
  enum class At { start, receiving } at_ = At::start;
  std::string name_;
  std::ofstream file_;

  std::optional<Nothing> resume(std::string sent) override {
    switch (at_) {
    case At::start:
      file_.open(name_, std::ios::app);
      while (true) {
        at_ = At::receiving;
        return Nothing{};  // sent = yield
      case At::receiving:
        file_ << sent << std::endl;
        if (!file_) throw std::system_error(errno, std::generic_category(), name_);
      }
    }
    return std::nullopt;  // never reached
  }
};

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') return usage(argv, "logger FILE   (appends Foo and Bar)");

  try {
    Logger logger(argv[1]);
    logger.send("Foo");
    logger.send("Bar");
  } catch (const std::exception& error) {
    std::cerr << "logger: cannot write to " << error.what() << '\n';
    return 1;
  }
}
