#pragma once

#include <cstddef>
#include <random>
#include <sstream>
#include <string>
#include <vector>

// The texts for reader.cpp, and their comparison.

using Lines = std::vector<std::string>;

/// Returns random words that a careless script would run, expand, or use as a format. A comparison
/// of numbers would call the first three equal.
inline std::string some_text(std::mt19937& random, std::size_t most) {
  static const Lines words = {"1\n",
                              "1.0\n",
                              "01\n",
                              "a\n",
                              "a",
                              "b",
                              "\n",
                              " ",
                              "\t",
                              "\r",
                              "#",
                              "\\",
                              "\"",
                              "'",
                              "$(touch run)",
                              "`touch run`",
                              ";touch run;",
                              "|touch run",
                              "&",
                              "-e",
                              "%s%n",
                              "\\n",
                              "0x1",
                              "\x1b[31m",
                              "\xc3\xa4",
                              "\xff",
                              std::string(50, 'x'),
                              std::string(1, '\0')};
  const std::size_t kinds = random() % 3 == 0 ? 4 : words.size();
  std::string text;
  for (std::size_t left = random() % most; left > 0; --left) text += words[random() % kinds];
  return text;
}

/// Returns a text with a change in one place.
inline std::string nearly(std::mt19937& random, const std::string& text) {
  const std::size_t at = random() % (text.size() + 1), end = at + random() % 3;
  const std::string rest = end < text.size() ? text.substr(end) : "";
  return text.substr(0, at) + some_text(random, 3) + rest;
}

/// Returns the lines of a text. The last line needs no line end.
inline Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Returns the part of a prediction that is compared: the lines that are not empty, without the
/// blanks around them.
inline Lines trimmed(const std::string& text, bool with_comments) {
  Lines kept;
  for (const std::string& line : lines_of(text)) {
    const std::size_t from = line.find_first_not_of(" \t\r\v\f"),
                      to = line.find_last_not_of(" \t\r\v\f");
    if (from == std::string::npos || (!with_comments && line[0] == '#')) continue;
    kept.push_back(line.substr(from, to - from + 1));
  }
  return kept;
}

/// Returns the number of the first line that is different. The first line has the number 1.
inline std::size_t difference(const Lines& a, const Lines& b) {
  std::size_t n = 0;
  while (n < a.size() && n < b.size() && a[n] == b[n]) ++n;
  return n + 1;
}
