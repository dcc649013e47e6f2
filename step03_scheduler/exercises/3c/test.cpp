#include <any_catch2.hpp>
#include <memory>
#include <optional>

#include "task.hpp"

namespace {

/// Yields some times, then finishes. Counts its resumes.
class Counting final : public Coroutine {
 public:
  Counting(int& resumes, int yields) : resumes_(resumes), yields_(yields) {}

 private:
  int& resumes_;
  int yields_;

  std::optional<Yielded> resume(Value) override {
    ++resumes_;
    if (yields_-- == 0) return std::nullopt;
    return Nothing{};
  }
};

}  // namespace

TEST_CASE("the first turn runs the coroutine to its first yield and not further") {
  int resumes = 0;
  Task task{1, std::make_shared<Counting>(resumes, 3)};
  REQUIRE(task.run().has_value());
  REQUIRE(resumes == 1);
}

TEST_CASE("each later turn resumes the coroutine once") {
  int resumes = 0;
  Task task{1, std::make_shared<Counting>(resumes, 3)};
  REQUIRE(task.run().has_value());
  REQUIRE(task.run().has_value());
  REQUIRE(resumes == 2);
  REQUIRE(task.run().has_value());
  REQUIRE(resumes == 3);
}

TEST_CASE("run() returns nullopt when the coroutine has finished") {
  int resumes = 0;
  Task task{1, std::make_shared<Counting>(resumes, 1)};
  REQUIRE(task.run().has_value());
  REQUIRE_FALSE(task.run().has_value());
}

TEST_CASE("run() returns nullopt when the coroutine finishes in its first turn") {
  int resumes = 0;
  Task task{1, std::make_shared<Counting>(resumes, 0)};
  REQUIRE_FALSE(task.run().has_value());
}
