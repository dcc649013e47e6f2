#pragma once

#include <charconv>
#include <cstring>
#include <string>

/// What the server programs can be told.
struct Options {
  int port;           ///< to listen on; 0 is any free one
  int requests = -1;  ///< end after so many answers; -1 is never
};

/// Reads a whole number between two limits. Returns false, and changes nothing, if it is none.
inline bool read_number(const char* text, int least, int most, int& number) {
  int value = 0;
  const char* const end = text + std::strlen(text);
  const auto [stopped, error] = std::from_chars(text, end, value);
  if (error != std::errc() || stopped != end || value < least || value > most) return false;
  number = value;
  return true;
}

/// Reads `--port N` and `--requests N` into `options`. Returns false at anything else.
inline bool read_options(char** argv, Options& options) {
  for (char** word = argv + 1; *word; word += 2) {
    const std::string name = *word;
    if (!word[1]) return false;
    if (name == "--port") {
      if (!read_number(word[1], 0, 65535, options.port)) return false;
    } else if (name == "--requests") {
      if (!read_number(word[1], 1, 2147483647, options.requests)) return false;
    } else {
      return false;
    }
  }
  return true;
}
