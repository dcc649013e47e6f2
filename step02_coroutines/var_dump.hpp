#pragma once

#include <iostream>
#include <optional>
#include <string>

/// Prints a value as PHP's var_dump does: `string(3) "foo"`, or `NULL` for none.
inline void var_dump(const std::optional<std::string>& value) {
  if (value) {
    std::cout << "string(" << value->size() << ") \"" << *value << "\"\n";
  } else {
    std::cout << "NULL\n";
  }
}

/// The same, for a literal.
inline void var_dump(const char* text) {
  var_dump(std::optional<std::string>(text));
}

/// Prints `bool(true)` or `bool(false)`.
inline void var_dump(bool value) {
  std::cout << (value ? "bool(true)\n" : "bool(false)\n");
}
