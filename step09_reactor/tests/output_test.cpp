#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "peer.hpp"
#include "program.hpp"
#include "server_process.hpp"

TEST_CASE("a program prints the same bytes as in the earlier steps", "[step09]") {
  const std::string program =
      GENERATE(as<std::string>(), "two_tasks", "countdown", "task_ids", "echo_times",
               "return_value", "parent_child", "throw_into", "kill_missing_task", "actors");
  INFO(program);
  check_program(program);
}

TEST_CASE("a program of this step prints its expected output", "[step09]") {
  const std::string program = GENERATE(
      as<std::string>(), "hello", "breakfast", "scope", "clean_up", "copy_file", "socket", "child",
      "compute", "post_from_thread", "poll_pipe", "watch_folder", "ctrl_c", "channel", "semaphore",
      "run_commands", "first_answer", "first_of_three", "microtask", "own_output");
  INFO(program);
  check_program(program);
}

TEST_CASE("first_answer ends without an error when it is interrupted", "[step09]") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::signal(SIGINT, SIG_DFL);  // a shell may have started the tests with SIGINT ignored
    ::dup2(ends[1], 1);
    ::execl(PROGRAMS "/first_answer", "first_answer", nullptr);
    ::_exit(127);
  }
  ::close(ends[1]);
  char letter = 0;
  while (::read(ends[0], &letter, 1) == 1 && letter != '\n') {
  }
  ::kill(pid, SIGINT);  // the program has printed that it accepts Ctrl-C
  int status = 0;
  ::waitpid(pid, &status, 0);
  ::close(ends[0]);
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 0);
}

TEST_CASE("web_server sends the recorded response to the recorded request", "[step09]") {
  const ServerProcess server("web_server");
  Peer client(server.port());
  client.send(content_of(EXPECTED "/web_server_request.txt"));
  check_equal(content_of(EXPECTED "/web_server.txt"), client.read());
}

TEST_CASE("echo_server sends the expected response and prints the expected lines", "[step09]") {
  const ServerProcess server("echo_server");
  Peer client(server.port());
  client.send("hello\n\nno newline");
  client.end();
  std::string output = client.read() + '\n';
  std::string line = server.read_line();
  line.replace(line.find(", "), std::string::npos, ", PORT)");
  output += line + '\n' + server.read_line() + '\n';
  check_equal(content_of(EXPECTED "/echo_server.txt"), output);
}
