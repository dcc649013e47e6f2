#pragma once

// What mutate.awk writes into the copy of a header. MUTANT in the environment is the number of the
// one that is switched on. While the tests are recorded, each says which test came past it.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <type_traits>
#include <utility>

inline const int mutant_on = std::getenv("MUTANT") ? std::atoi(std::getenv("MUTANT")) : 0;

// A byte for each mutant in the file MUTANT_LOG. It is mapped and not written to, since a test may
// leave its programs without a free descriptor, and errno is theirs.
inline char* const mutants_seen = [] {
  const char* const name = std::getenv("MUTANT_LOG");
  const int log = name ? ::open(name, O_RDWR | O_CLOEXEC) : -1;
  if (log < 0) return static_cast<char*>(nullptr);
  void* const bytes = ::mmap(nullptr, 100000, PROT_READ | PROT_WRITE, MAP_SHARED, log, 0);
  ::close(log);
  return bytes == MAP_FAILED ? nullptr : static_cast<char*>(bytes);
}();
inline const bool mutants_recorded = mutants_seen != nullptr;

inline void mutant_seen(int number, char how = 1) {
  if (!mutants_seen[number]) mutants_seen[number] = how;
}

inline bool mutant(int number) {
  if (mutants_recorded) mutant_seen(number);
  return number == mutant_on && number != 0;
}

inline bool decided(int yes, int no, bool value) {
  return mutant(yes) || (!mutant(no) && value);
}

template <typename T>
constexpr bool has_other =
    (std::is_default_constructible_v<T> && std::is_move_constructible_v<T>) || std::is_enum_v<T>;

template <typename T>
T other_value([[maybe_unused]] const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return !value;
  } else if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(value + 1);
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<T>(static_cast<int>(value) ^ 1);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return value + "?";
  } else {
    return T{};
  }
}

/// The value itself, or another of its type if the mutant is switched on.
template <typename T>
T& changed(int number, T& value) {
  using Plain = std::remove_cv_t<T>;
  if constexpr (!has_other<Plain>) {
    if (mutants_recorded) mutant_seen(number, 2);
    return value;
  } else {
    if (!mutant(number)) return value;
    return *new Plain(other_value<Plain>(value));  // must outlive whoever refers to it
  }
}

template <typename T, typename = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
constexpr std::remove_cv_t<T> changed(int number, T&& value) {
  using Plain = std::remove_cv_t<T>;
  if (__builtin_is_constant_evaluated()) return std::forward<T>(value);
  if constexpr (!has_other<Plain>) {
    if (mutants_recorded) mutant_seen(number, 2);
    return std::forward<T>(value);
  } else {
    if (!mutant(number)) return std::forward<T>(value);
    return other_value<Plain>(value);
  }
}
