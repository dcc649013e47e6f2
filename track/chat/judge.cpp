// Judges a chat server by what its clients see: judge PROGRAM [SCENARIO...]. It has no coroutines,
// and knows nothing of the server but its protocol, which track/m12/README.md describes.
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// What the server has done wrong, in the words that the learner reads.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string quoted(const std::string& text) {
  return "\"" + (text.size() > 60 ? text.substr(0, 57) + "..." : text) + "\"";
}

/// A client of the chat: a blocking socket, a timeout for each wait, and a name for the messages.
class Client {
 public:
  Client(int port, std::string name)
      : name_(std::move(name)), fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<in_port_t>(port));
    if (::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) < 0)
      throw Fault(name_ + " can't connect: " + std::strerror(errno));
    const int yes = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  }
  Client(Client&& other) noexcept
      : name_(std::move(other.name_)),
        fd_(std::exchange(other.fd_, -1)),
        got_(std::move(other.got_)) {}
  ~Client() { close(); }

  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

  /// Breaks the connection, so that the server gets ECONNRESET.
  void reset() {
    const linger at_once{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
  }

  /// Sends bytes as they are. Fails if the server doesn't take them within two seconds.
  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      if (!ready(POLLOUT, 2000))
        throw Fault("the server reads nothing from " + name_ +
                    " for two seconds: who holds it up?");
      const ssize_t count = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count < 0 && errno == EAGAIN) continue;
      if (count < 0) throw Fault("the server has closed the connection of " + name_ + " too early");
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  void say(const std::string& line) { send(line + "\n"); }

  /// Takes what has arrived, waiting at most `timeout` milliseconds. Returns false if nothing has
  /// come.
  bool take(int timeout) {
    if (!ready(POLLIN, timeout)) return false;
    char buffer[65536];
    const ssize_t count = ::recv(fd_, buffer, sizeof buffer, 0);
    if (count <= 0) {
      ended_ = true;
      return false;
    }
    got_.append(buffer, static_cast<std::size_t>(count));
    return true;
  }

  /// Returns the next line, without its end. Throws if none comes in time.
  std::string line(const std::string& expected, int timeout = 2000) {
    const Clock::time_point end = Clock::now() + std::chrono::milliseconds(timeout);
    std::size_t size;
    while ((size = got_.find('\n')) == std::string::npos) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
      if (left > 0 && take(static_cast<int>(left))) continue;
      const std::string why = ended_ ? "its connection was closed"
                              : got_.empty()
                                  ? "got nothing for " + std::to_string(timeout / 1000) + " s"
                                  : "got a line without an end, " + quoted(got_);
      throw Fault(name_ + " expects " + quoted(expected) + ", but " + why);
    }
    std::string line = got_.substr(0, size);
    got_.erase(0, size + 1);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return line;
  }

  void expect(const std::string& expected) {
    const std::string got = line(expected);
    if (got != expected)
      throw Fault(name_ + " expects " + quoted(expected) + ", but got " + quoted(got));
  }

  /// After some time, no other line has come.
  void expect_silence(const std::string& why) {
    if (got_.empty()) take(150);
    if (!got_.empty())
      throw Fault(name_ + " got " + quoted(got_.substr(0, got_.find('\n'))) + ", but " + why);
    if (ended_) throw Fault("the connection of " + name_ + " was closed, but " + why);
  }

  /// The server closes the connection; what it sends before doesn't matter.
  void expect_end(const std::string& why, int timeout = 3000) {
    const Clock::time_point end = Clock::now() + std::chrono::milliseconds(timeout);
    while (!ended_ && Clock::now() < end) take(100);
    if (!ended_) throw Fault("the connection of " + name_ + " stays open, but " + why);
  }

  void enter() {
    say(name_);
    expect("* welcome, " + name_);
  }

  const std::string& name() const { return name_; }

 private:
  bool ready(short events, int timeout) {
    pollfd socket{fd_, events, 0};
    return ::poll(&socket, 1, timeout) > 0;
  }

  std::string name_;
  int fd_;
  std::string got_;
  bool ended_ = false;
};

/// The file that gets what the program writes to stderr.
std::string errors_of(const char* program) {
  return std::string(program) + ".errors";
}

/// The program, from its start to its end.
class Server {
 public:
  explicit Server(const char* program) {
    int pipe[2];
    if (::pipe(pipe) < 0) std::exit(2);
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(pipe[1], 1);
      ::dup2(::open(errors_of(program).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), 2);
      ::close(pipe[0]);
      ::execl(program, program, "0", nullptr);
      std::perror(program);
      std::_Exit(127);
    }
    ::close(pipe[1]);
    output_ = pipe[0];
    pollfd output{output_, POLLIN, 0};
    std::string text;
    char c;
    while (text.find('\n') == std::string::npos && ::poll(&output, 1, 5000) > 0 &&
           ::read(output_, &c, 1) == 1)
      text += c;
    const std::size_t digits = text.find_first_of("0123456789");
    if (digits == std::string::npos)
      throw Fault(
          "the server must print a line with its port, for example \"Starting server at port "
          "40001...\", and it "
          "printed " +
          quoted(text));
    port_ = std::atoi(&text[digits]);
  }
  Server(const Server&) = delete;
  ~Server() {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
    ::close(output_);
  }

  int port() const { return port_; }
  Client client(const std::string& name) const { return Client(port_, name); }
  Client guest(const std::string& name) const {
    Client client(port_, name);
    client.enter();
    return client;
  }

  /// Fails if the process has ended.
  void expect_alive() {
    int status;
    if (::waitpid(process_, &status, WNOHANG) != process_) return;
    process_ = 0;
    throw Fault("the server has ended: " + how(status));
  }

  /// Memory in KiB, or 0 where /proc doesn't tell.
  long memory() const {
    std::ifstream file("/proc/" + std::to_string(process_) + "/status");
    for (std::string word; file >> word;)
      if (word == "VmRSS:") return file >> word, std::atol(word.c_str());
    return 0;
  }

  /// CPU time in ticks of 10 ms, or 0 where /proc doesn't tell.
  long cpu() const {
    std::ifstream file("/proc/" + std::to_string(process_) + "/stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    std::istringstream rest(text.substr(std::min(text.size(), text.rfind(')') + 1)));
    std::string word;
    long user = 0, system = 0;
    for (int i = 0; i < 11 && rest >> word; ++i) {
    }
    rest >> user >> system;
    return user + system;
  }

  void interrupt() { ::kill(process_, SIGINT); }

  /// Waits for the end of the process, which must be exit status 0.
  void expect_end(std::chrono::milliseconds within) {
    const Clock::time_point end = Clock::now() + within;
    int status = 0;
    while (::waitpid(process_, &status, WNOHANG) == 0) {
      if (Clock::now() > end)
        throw Fault("the server still runs " + std::to_string(within.count() / 1000) +
                    " s after Ctrl-C");
      std::this_thread::sleep_for(10ms);
    }
    process_ = 0;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      throw Fault("after Ctrl-C, the exit status must be 0, but " + how(status));
  }

 private:
  static std::string how(int status) {
    if (WIFSIGNALED(status))
      return std::string("it was ended by a signal (") + ::strsignal(WTERMSIG(status)) + ")";
    return "its exit status is " + std::to_string(WEXITSTATUS(status));
  }

  pid_t process_ = 0;
  int output_ = -1, port_ = 0;
};

void talk(Server& server) {
  Client ann = server.guest("ann");
  Client bob = server.guest("bob");
  ann.expect("* bob has joined");
  ann.say("hello");
  bob.expect("ann: hello");
  bob.say("hi");
  ann.expect("bob: hi");
  bob.expect_silence("nobody has said anything else, and bob doesn't hear himself");
  bob.say("/quit");
  bob.expect_end("bob has said /quit");
  ann.expect("* bob has left");
}

void names(Server& server) {
  Client ann = server.guest("ann");
  Client second = server.client("the second ann");
  second.say("ann");
  second.expect("! ann is taken");
  ann.expect_silence("the second ann has no name yet, so it can't have joined");
  second.say("eve");
  second.expect("* welcome, eve");
  ann.expect("* eve has joined");
  ann.say("/nick eve");
  ann.expect("! eve is taken");
  ann.say("/nick amy");
  ann.expect("* ann is now amy");
  second.expect("* ann is now amy");
  Client third = server.guest("ann");  // the name is free again
  second.expect("* ann has joined");
  ann.expect("* ann has joined");
  ann.say("me");
  third.expect("amy: me");
}

void rooms(Server& server) {
  Client ann = server.guest("ann"), bob = server.guest("bob"), eve = server.guest("eve");
  ann.expect("* bob has joined");
  ann.expect("* eve has joined");
  bob.expect("* eve has joined");
  ann.say("/join tea");
  ann.expect("* you are in tea");
  bob.expect("* ann has left");
  eve.expect("* ann has left");
  ann.say("is anybody here?");
  bob.expect_silence("ann has spoken in another room");
  bob.say("/join tea");
  bob.expect("* you are in tea");
  ann.expect("* bob has joined");
  eve.expect("* bob has left");
  bob.say("I am");
  ann.expect("bob: I am");
  eve.expect_silence("bob has spoken in another room");
}

void pieces(Server& server) {
  Client ann = server.guest("ann"), bob = server.guest("bob");
  ann.expect("* bob has joined");
  ann.send("one li");
  bob.expect_silence("ann's line has no end yet");
  ann.send("ne\ntwo\nthr");
  bob.expect("ann: one line");
  bob.expect("ann: two");
  ann.send("ee\r\n");
  bob.expect("ann: three");
  Client endless = server.guest("endless");
  ann.expect("* endless has joined");
  try {
    for (int i = 0; i < 64; ++i) endless.send(std::string(1024, 'x'));
  } catch (const Fault&) {  // the server may close it before it has read all of it
  }
  endless.expect_end("it has sent 64 KiB without an end of line; a line has at most 4096 bytes");
  ann.expect("* endless has left");
}

void leaves(Server& server) {
  Client ann = server.guest("ann");
  for (const char* name : {"closing", "resetting"}) {
    Client other = server.guest(name);
    ann.expect("* " + other.name() + " has joined");
    ann.say("hello, " + other.name());
    if (other.name() == "closing")
      other.close();
    else
      other.reset();
    ann.expect("* " + other.name() + " has left");
    server.expect_alive();
  }
  for (int i = 0; i < 50; ++i) server.client("nameless").reset();
  ann.expect_silence("clients without a name have come and gone");
  server.guest("resetting");  // its name is free again
}

void crowd(Server& server) {
  constexpr int size = 200;
  std::vector<Client> clients;
  for (int i = 0; i < size; ++i) clients.push_back(server.guest("c" + std::to_string(i)));
  for (Client& client : clients) client.say("I am " + client.name());
  for (Client& client : clients) {
    int lines = 0;
    while (lines < size - 1) {
      if (client.line("199 greetings; " + std::to_string(lines) + " have come", 10000)
              .find(": I am ") != std::string::npos)
        ++lines;
    }
  }
}

/// Many tasks that wait must not use the processor.
void idle(Server& server) {
  std::vector<Client> clients;
  for (int i = 0; i < 20; ++i) clients.push_back(server.guest("c" + std::to_string(i)));
  for (int i = 0; i < 20; ++i) clients.push_back(server.client("silent"));
  for (int i = 0; i < 5; ++i) clients[static_cast<std::size_t>(i)].say("/quit");
  std::this_thread::sleep_for(300ms);
  const long before = server.cpu();
  std::this_thread::sleep_for(1s);
  const long used = server.cpu() - before;
  if (used > 20)
    throw Fault("nobody says anything, but the server has used " + std::to_string(used * 10) +
                " ms of a second: does a task run again and again instead of waiting?");
}

/// A client that reads nothing must not stop the others, and must not fill the memory.
void slow(Server& server) {
  Client slow = server.guest("slow");
  Client ann = server.guest("ann"), bob = server.guest("bob");
  ann.expect("* bob has joined");
  const long before = server.memory();
  const std::string text(1000, 'x');
  bool seen_leaving = false;
  Clock::duration longest{};
  for (int i = 0; i < 40000; ++i) {  // 40 MB
    const std::string said = std::to_string(i) + text;
    const Clock::time_point start = Clock::now();
    ann.say(said);
    std::string got;
    try {
      while ((got = bob.line("ann: " + said)) == "* slow has left") seen_leaving = true;
    } catch (const Fault& fault) {
      throw Fault("slow has read nothing for " + std::to_string(i) + " KB; now " + fault.what());
    }
    if (got != "ann: " + said)
      throw Fault("bob expects " + quoted("ann: " + said) + ", but got " + quoted(got));
    longest = std::max(longest, Clock::now() - start);
  }
  if (longest > 1s)
    throw Fault("a line from ann to bob has taken more than a second, because of slow");
  const long grown = server.memory() - before;
  if (grown > 16384)
    throw Fault("slow is 40 MB behind, and the server has grown by " +
                std::to_string(grown / 1024) + " MiB: cut off who is more than 1 MiB behind");
  if (!seen_leaving) throw Fault("bob expects \"* slow has left\", because slow is 40 MB behind");
  slow.expect_end("it is 40 MB behind");
}

void end(Server& server) {
  Client ann = server.guest("ann"), bob = server.guest("bob");
  ann.expect("* bob has joined");
  ann.say("/join tea");
  ann.expect("* you are in tea");
  bob.expect("* ann has left");
  Client nameless = server.client("nameless");
  Client slow = server.guest("slow");
  bob.expect("* slow has joined");
  bob.send("half a li");
  try {
    for (int i = 0; i < 900; ++i) bob.say(std::string(1000, 'x'));
  } catch (const Fault&) {
  }
  std::this_thread::sleep_for(200ms);
  server.interrupt();
  ann.expect("* the server ends");
  bob.expect("* the server ends");
  for (Client* client : {&ann, &bob, &nameless}) client->expect_end("the server was asked to end");
  server.expect_end(3000ms);
  try {
    server.client("late");
  } catch (const Fault&) {
    return;
  }
  throw Fault("the server has ended, but its port still accepts clients");
}

int main(int argc, char** argv) {
  ::signal(SIGPIPE, SIG_IGN);
  struct Scenario {
    const char* name;
    void (*run)(Server&);
    const char* what;
  };
  const Scenario scenarios[] = {
      {"talk", talk, "two clients hear each other"},
      {"names", names, "a name belongs to one client"},
      {"rooms", rooms, "a room hears only itself"},
      {"pieces", pieces, "lines arrive in any pieces"},
      {"leaves", leaves, "whoever leaves, by /quit, end or reset, has left"},
      {"crowd", crowd, "200 clients in one room hear each other"},
      {"idle", idle, "waiting costs no time"},
      {"slow", slow, "a client that doesn't read stops nobody"},
      {"end", end, "Ctrl-C ends it, and everybody is told"},
  };
  if (argc < 2) {
    std::cerr << "usage: judge PROGRAM [SCENARIO...]\n";
    return 2;
  }
  int failed = 0;
  for (const Scenario& scenario : scenarios) {
    bool wanted = argc == 2;
    for (int i = 2; i < argc; ++i) wanted = wanted || std::string_view(argv[i]) == scenario.name;
    if (!wanted) continue;
    std::printf("  %-8s ", scenario.name);
    std::fflush(stdout);
    try {
      Server server(argv[1]);
      scenario.run(server);
      if (scenario.run != end) server.expect_alive();
      std::printf("ok     %s\n", scenario.what);
    } catch (const Fault& fault) {
      std::printf("FAIL   %s\n             %s\n", scenario.what, fault.what());
      std::ifstream errors(errors_of(argv[1]));
      for (std::string line; std::getline(errors, line);)
        std::printf("             it has said: %s\n", line.c_str());
      failed = 1;
    }
    std::fflush(stdout);
    if (failed) return 1;
  }
  return failed;
}
