// The programs that take arguments, from outside: what they say about bad ones, and about faults.
#include <string>
#include <vector>

#include "any_catch2.hpp"
#include "programs.hpp"
#include "tcp_server.hpp"

TEST_CASE("wrong command lines of the programs are one clear line and exit status 2", "[step09]") {
  const std::string number = GENERATE("0", "-1", "x", "1x", "", "99999999999");
  const auto refuses_all = [](const char* program, const std::vector<Words>& lines,
                              const std::string& synopsis) {
    for (const Words& words : lines) {
      CAPTURE(program, words);
      ServerProcess process(program, words, from("/dev/null"));
      REQUIRE(process.error_line().find("usage: " + synopsis) != std::string::npos);
      REQUIRE(process.wait() == 2);
    }
  };
  refuses_all(copy_file, {{"one"}, {"one", "two", "three"}, {"-x", "two"}}, "copy_file [FROM TO]");
  refuses_all(fetch_all, {{"host"}, {":80"}, {"host:" + number}, {"--timeout", number}, {"-x:1"}},
              "fetch_all [--timeout MILLISECONDS] [HOST:PORT]...");
  refuses_all(run_many, {{"--jobs", number}, {"--jobs"}, {"4"}, {"--jobs", "1", "2"}},
              "run_many [--jobs N] <COMMANDS");
  refuses_all(tail, {{}, {"--lines", number, "file"}, {"--lines"}, {"one", "two"}, {"-x"}},
              "tail [--lines N] FILE");
}

TEST_CASE("copy_file says what is wrong with a file", "[step09]") {
  const TemporaryFolder folder;
  const std::string file = folder / "file", none = folder / "none", there = folder.path();
  write_file(file, "content");
  refuses(copy_file, {none, file},
          "copy_file: cannot open " + none + ": no such file or directory (ENOENT)");
  refuses(copy_file, {there, none},
          "copy_file: cannot read " + there + ": illegal operation on a directory (EISDIR)");
  refuses(copy_file, {file, there},
          "copy_file: cannot open " + there + ": illegal operation on a directory (EISDIR)");
  refuses(copy_file, {file, "/dev/full"},
          "copy_file: cannot write /dev/full: no space left on device (ENOSPC)");
  refuses(copy_file, {file, there + "/./file"},
          "copy_file: " + file + " and " + there + "/./file are the same file: invalid argument " +
              "(EINVAL)");
  REQUIRE(text_in(file) == "content");
}

TEST_CASE("copy_file copies its input to its output, whatever they are", "[step09]") {
  const TemporaryFolder folder;
  const std::string in = folder / "in", out = folder / "out";
  write_file(in, long_text(1000000));
  ServerProcess file(copy_file, {}, from_to(in, out));
  REQUIRE(file.wait() == 0);
  REQUIRE(text_in(out) == text_in(in));

  const std::string middle = "'" + std::string(copy_file) + "'";
  ServerProcess pipes("/bin/sh", {"-c", "cat | " + middle + " | " + middle + " | cat"},
                      from_to(in, out));
  REQUIRE(pipes.wait() == 0);
  REQUIRE(text_in(out) == text_in(in));

  refuses(copy_file, {}, "copy_file: cannot write descriptor 1: no space left on device (ENOSPC)",
          1, from_to(in, "/dev/full"));
  ServerProcess closed(copy_file, {}, [] { ::close(0); });
  REQUIRE(closed.output_line().empty());
  REQUIRE(closed.wait() == 0);
}

TEST_CASE("fetch_all asks all at once, and answers in the order of the list", "[step09]") {
  TcpServer server;
  const std::string target = "127.0.0.1:" + std::to_string(server.port());
  ServerProcess process(fetch_all, {"--timeout", "60000", target, target});
  const int first = server.accept(), second = server.accept();
  server.answer(second, "12");
  server.answer(first, "12");
  REQUIRE(process.output_line() == target + ": 2 bytes");
  REQUIRE(process.output_line() == target + ": 2 bytes");
  REQUIRE(process.wait() == 0);
}

TEST_CASE("fetch_all goes on when one fails, and its exit status says so", "[step09]") {
  const TcpServer rude, kind;
  const std::string first = "127.0.0.1:" + std::to_string(rude.port());
  const std::string last = "127.0.0.1:" + std::to_string(kind.port());
  ServerProcess process(fetch_all, {"--timeout", "60000", first, "no such host:80", last});
  rude.reset(rude.accept());
  kind.answer(kind.accept(), long_text(100000));
  REQUIRE(process.output_line() == first + ": cannot read: connection reset by peer (ECONNRESET)");
  REQUIRE(process.output_line() ==
          "no such host:80: cannot find the address of no such host: "
          "unknown node or service (EAI_NONAME)");
  REQUIRE(process.output_line() == last + ": 100000 bytes");
  REQUIRE(process.wait() == 1);
}

TEST_CASE("fetch_all does not wait longer than it may", "[step09]") {
  const TcpServer silent;
  const std::string never = "127.0.0.1:" + std::to_string(silent.port());
  ServerProcess process(fetch_all, {"--timeout", "10", never});
  REQUIRE(process.output_line() == never + ": The time is over");
  REQUIRE(process.wait() == 1);
}
