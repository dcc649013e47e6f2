#include "coroutine.hpp"

#include <any_catch2.hpp>
#include <type_traits>

TEST_CASE("the frame of a coroutine cannot be copied, so there is no fork", "[step08]") {
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<Coroutine<>>);
}
