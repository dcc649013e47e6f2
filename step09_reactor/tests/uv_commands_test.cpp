// tail and run_many, from outside.
#include "programs.hpp"

namespace {

/// Reads lines until they have been so many, and gives them as one text.
std::string lines_of(const ServerProcess& process, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += process.output_line() + "\n";
  return all;
}

/// Lines with these numbers.
std::string numbers(int first, int last) {
  std::string text;
  for (int i = first; i <= last; ++i) text += std::to_string(i) + "\n";
  return text;
}

/// run_many with these commands, in a folder of its own.
struct Commands : TemporaryFolder {
  std::function<void()> give(const std::string& lines) const {
    write_file(*this / "commands", lines);
    return [folder = path(), read = from(*this / "commands")] {
      read();
      if (::chdir(folder.c_str()) != 0) ::_exit(126);
    };
  }
};

}  // namespace

TEST_CASE("tail says what is wrong with a file", "[step09]") {
  const TemporaryFolder folder;
  const std::string none = folder / "none";
  refuses(tail, {none}, "tail: cannot watch " + none + ": no such file or directory (ENOENT)");
  refuses(tail, {folder.path()},
          "tail: cannot read " + folder.path() + ": illegal operation on a directory (EISDIR)");
}

TEST_CASE("tail begins with the last ten lines, and follows until it has so many", "[step09]") {
  const TemporaryFolder folder;
  const std::string file = folder / "file";
  write_file(file, numbers(1, 100000));
  ServerProcess process(tail, {"--lines", "14", file});
  REQUIRE(lines_of(process, 10) == numbers(99991, 100000));
  grow(file, "a");
  grow(file, "b\n");
  REQUIRE(process.output_line() == "ab");
  grow(file, "1\n2\n3\n4\n");
  REQUIRE(lines_of(process, 4) == "1\n2\n3\n\n");
  REQUIRE(process.wait() == 0);
}

TEST_CASE("tail follows a file that is empty, and one that ends without a newline", "[step09]") {
  const std::string content = GENERATE("", "no newline");
  const TemporaryFolder folder;
  const std::string file = folder / "file";
  write_file(file, content);
  ServerProcess process(tail, {file});
  grow(file, ", or is there?\n");
  REQUIRE(process.output_line() == content + ", or is there?");
  process.signal(SIGINT);
  REQUIRE(process.wait() == 0);
}

TEST_CASE("tail ends when nobody reads what it writes", "[step09]") {
  const TemporaryFolder folder;
  const std::string file = folder / "file";
  write_file(file, "a line\n");
  refuses(tail, {file}, "tail: cannot write: broken pipe (EPIPE)", 1, [] {
    int ends[2];
    if (::pipe(ends) != 0) ::_exit(126);
    ::dup2(ends[1], 1);
    ::close(ends[0]);
    ::close(ends[1]);
  });
}

TEST_CASE("run_many writes what the commands say in their order, and how they ended", "[step09]") {
  const Commands commands;
  ServerProcess process(
      run_many, {"--jobs", "1"},
      commands.give("echo one\n\nexit 3\nkill -9 $$\nnone 2>/dev/null; echo two"));
  REQUIRE(lines_of(process, 2) == "one\ntwo\n");
  REQUIRE(errors_of(process) ==
          "1 of 4: echo one: done\n2 of 4: exit 3: exit code 3\n3 of 4: kill -9 $$: signal 9\n"
          "4 of 4: none 2>/dev/null; echo two: done\n");
  REQUIRE(process.wait() == 1);
}

TEST_CASE("run_many runs so many at a time and no more", "[step09]") {
  const Commands commands;
  for (const char* const name : {"there", "back"}) ::mkfifo((commands / name).c_str(), 0600);
  std::string lines = "echo x >there; read x <back\nread x <there; echo x >back\n";
  for (int i = 0; i < 20; ++i) {  // each needs one of two places
    lines += "mkdir 1 2>/dev/null && rmdir 1 || { mkdir 2 && rmdir 2; }\n";
  }
  ServerProcess process(run_many, {"--jobs", "2"}, commands.give(lines));
  errors_of(process);
  REQUIRE(process.wait() == 0);
}

TEST_CASE("run_many has nothing to do without commands", "[step09]") {
  ServerProcess empty(run_many, {}, from("/dev/null"));
  REQUIRE(errors_of(empty).empty());
  REQUIRE(empty.wait() == 0);
  ServerProcess closed(run_many, {}, [] { ::close(0); });
  REQUIRE(errors_of(closed).empty());
  REQUIRE(closed.wait() == 0);
}

TEST_CASE("run_many says it if there are too few descriptors", "[step09]") {
  const auto few = GENERATE(range<unsigned>(4, 24));
  CAPTURE(few);
  const Commands commands;
  const std::function<void()> read = commands.give("exit 0\nexit 0\n");
  ServerProcess process(run_many, {"--jobs", "2"}, [few, read] {
    read();
    const rlimit limit{few, few};
    ::setrlimit(RLIMIT_NOFILE, &limit);
  });
  const std::string errors = errors_of(process);
  CAPTURE(errors);
  const int status = process.wait();
  REQUIRE((status == 0 || status == 1));
  REQUIRE(errors.find(status == 0 ? "2 of 2: exit 0: done" : "") != std::string::npos);
  REQUIRE_FALSE(errors.empty());
}
