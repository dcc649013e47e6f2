// Gives random texts to the two comparisons of ./learn: tools/check, which compares the output of a
// program, and the comparison of a prediction. Both are scripts, so this is not a libFuzzer.
//
//   reader PROJECT SECONDS       tries cases for a time
//   reader PROJECT 0 SEED        tries one case again, and shows it
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "texts.hpp"

namespace fs = std::filesystem;

namespace {

struct Outcome {
  int status;
  std::string text;
};

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Two texts, and the folder in which the scripts find them.
class Case {
 public:
  Case(const fs::path& folder, unsigned seed) : folder_(folder), random_(seed) {
    expected_ = some_text(random_, 40);
    found_ = random_() % 4 == 0 ? expected_ : nearly(random_, expected_);
    write(folder_ / "step/expected/p.txt", expected_);
    write(folder_ / "found", found_);
    write(folder_ / "prediction.txt", found_);
    const char* const locales[] = {"C", "C.UTF-8"};
    locale_ = locales[random_() % 2];
  }

  /// Returns what is wrong, or an empty string.
  std::string check() {
    std::string what = check_comparison();
    if (what.empty()) what = check_prediction();
    if (what.empty() && fs::exists(folder_ / "run")) what = "a text was run as a program";
    return what;
  }

  void show() const {
    std::cout << "expected:\n" << expected_ << "\nfound:\n" << found_ << "\n";
    std::cout << "said, in " << locale_ << ":\n"
              << said_.text << "exit status " << said_.status << "\n";
  }

 private:
  void run(const std::string& command) {
    const std::string all = "cd " + folder_.string() + " && LC_ALL=" + locale_ + " timeout 20 " +
                            command + " >said 2>&1 </dev/null";
    const int status = std::system(all.c_str());
    said_ = {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(folder_ / "said")};
  }

  /// Returns what is wrong with the exit status or the words of a script, or an empty string.
  std::string says(int status, const std::string& words) const {
    if (said_.status != status) return "exit status " + std::to_string(said_.status);
    if (!contains(said_.text, words)) return "it does not print: " + words;
    return "";
  }

  /// Returns true if there are no control characters, which a terminal would obey.
  bool is_plain() const {
    const auto obeys = [](char letter) {
      return (letter >= 0 && letter < ' ' && letter != '\n') || letter == 127;
    };
    return std::none_of(said_.text.begin(), said_.text.end(), obeys);
  }

  std::string check_comparison() {
    run("$PROJECT/tools/check step build p");
    if (!is_plain()) return "control characters";
    const Lines lines = lines_of(expected_), others = lines_of(found_);
    if (expected_ == found_)
      return says(0, "ok     " + std::to_string(lines.size()) + " lines, identical");
    if (lines == others) return says(1, "only the line end after the last line of");
    return says(1, "first difference at line " + std::to_string(difference(lines, others)) + " of");
  }

  std::string check_prediction() {
    run("sh predict");
    const Lines lines = trimmed(expected_, true), mine = trimmed(found_, false);
    const std::size_t at = difference(lines, mine);
    if (mine.empty()) return says(1, "write down what it prints");
    if (lines == mine) return says(0, "ok     all " + std::to_string(lines.size()) + " lines");
    if (at > mine.size())
      return says(1, "line " + std::to_string(mine.size()) + " of your answer is not the last");
    if (at > lines.size())
      return says(1, "there are only " + std::to_string(lines.size()) + " lines");
    return says(1, "line " + std::to_string(at) + " of your answer is not: ");
  }

  fs::path folder_;
  std::mt19937 random_;
  std::string expected_, found_, locale_;
  Outcome said_{0, ""};
};

/// A step with one program, which prints what is in the file `found`.
void prepare(const fs::path& folder) {
  fs::create_directories(folder / "step/expected");
  fs::create_directories(folder / "build");
  write(folder / "build/p", "#!/bin/sh\nexec cat " + (folder / "found").string() + "\n");
  fs::permissions(folder / "build/p", fs::perms::owner_all);
  write(folder / "predict",
        ". \"$PROJECT/tools/exercise_check.sh\"\nexpected() { cat step/expected/p.txt; }\n"
        "copy=. built=.\ncheck_prediction\n");
}

bool passes(const fs::path& folder, unsigned seed, bool loud) {
  Case one(folder, seed);
  const std::string what = one.check();
  if (loud || !what.empty()) one.show();
  if (!what.empty())
    std::cout << "WRONG: " << what << "; to repeat it: reader PROJECT 0 " << seed << "\n";
  return what.empty();
}

int run(const fs::path& folder, int seconds) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now(), end = start + std::chrono::seconds(seconds);
  unsigned seed = std::random_device()();
  int count = 0;
  for (; Clock::now() < end; ++seed, ++count) {
    if (!passes(folder, seed, false)) return 1;
  }
  std::cout << "reader: " << count << " executions, " << seconds << " seconds, last seed "
            << seed - 1 << "\n";
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) return 2;
  ::setenv("PROJECT", fs::canonical(words[1]).c_str(), 1);
  const fs::path folder = fs::temp_directory_path() / ("reader." + std::to_string(::getpid()));
  prepare(folder);
  const int status = count > 3 ? !passes(folder, static_cast<unsigned>(std::stoul(words[3])), true)
                               : run(folder, std::stoi(words[2]));
  fs::remove_all(folder);
  return status;
}
