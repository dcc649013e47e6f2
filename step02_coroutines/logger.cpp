#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include "generator.hpp"

/// Appends every string that it receives to a file. Article: "Coroutines", logger().
class Logger final : public Generator<Nothing, std::string> {
 public:
  explicit Logger(std::string file_name) : file_name_(std::move(file_name)) {}

 private:
  enum class State { start, received };
  State state_ = State::start;
  std::string file_name_;
  std::ofstream file_;

  std::optional<Nothing> resume(std::string sent) override {
    switch (state_) {
    case State::start:
      file_.open(file_name_, std::ios::app);
      while (true) {
        state_ = State::received;
        return Nothing{};  // sent = yield
      case State::received:
        file_ << sent << std::endl;
      }
    }
    return std::nullopt;  // never reached
  }
};

int main(int argc, char** argv) {
  Logger logger(argc > 1 ? argv[1] : "log");
  logger.send("Foo");
  logger.send("Bar");
}
