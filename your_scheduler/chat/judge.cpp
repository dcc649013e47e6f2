// Judges a chat server by what its clients see: judge PROGRAM [SCENARIO...]. It has no coroutines,
// and knows nothing of the server but its protocol, which README.md describes.
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <set>
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

Clock::time_point too_late;  // when the time of the scenario is over

std::string quoted(const std::string& text) {
  std::string shown = text.size() > 40 ? text.substr(0, 37) + "..." : text;
  for (std::size_t at; (at = shown.find('\r')) != std::string::npos;) shown.replace(at, 1, "\\r");
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < ' ') c = '?';
  return '"' + shown + '"';
}

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A client of the chat: a blocking socket with a limit for each wait, and a name for the messages.
class Client {
 public:
  /// If it reads late, the server's kernel takes some 100 KB for it, and not several MB.
  Client(int port, std::string name, bool reads_late)
      : name_(std::move(name)), fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const int yes = 1, buffer = 4096, segment = 536;
    const timeval limit{5, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);  // also for connect()
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (reads_late) {
      ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
      ::setsockopt(fd_, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<in_port_t>(port));
    if (::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) < 0)
      throw Fault(name_ + " can't connect: " + std::strerror(errno));
  }
  Client(Client&& other) noexcept
      : name_(std::move(other.name_)),
        fd_(std::exchange(other.fd_, -1)),
        got_(std::move(other.got_)) {}
  ~Client() { close(); }

  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

  void end_its_side() const { ::shutdown(fd_, SHUT_WR); }

  /// Breaks the connection, so that the server gets ECONNRESET.
  void reset() {
    const linger without_delay{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &without_delay, sizeof without_delay);
    close();
  }

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      if (!ready(POLLOUT, 5s))
        throw Fault("the server has read nothing from " + name_ +
                    " for 5 s: what does it wait for?");
      const ssize_t count = ::send(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (count < 0 && errno == EAGAIN) continue;
      if (count < 0) throw Fault("the server has closed the connection of " + name_ + " too early");
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  void say(const std::string& line) { send(line + "\n"); }

  /// Returns the next line, without its end. The message says that this line was expected.
  std::string line(const std::string& expected) {
    if (Clock::now() > too_late) throw Fault("after two minutes, this has not finished");
    const Clock::time_point end = Clock::now() + 5s;
    std::size_t size;
    while ((size = got_.find('\n')) == std::string::npos) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
      if (left > 0s && take(left)) continue;
      throw Fault(name_ + " expects " + quoted(expected) + ", but " +
                  (ended_         ? "its connection was closed"
                   : got_.empty() ? "got nothing for 5 s"
                                  : "got a line without an end, " + quoted(got_)));
    }
    std::string line = got_.substr(0, size);
    got_.erase(0, size + 1);
    return line;
  }

  /// Returns true if lines `ignored` have come before. By default, no line is ignored.
  bool expect(const std::string& expected, const std::string& ignored = "\n") {
    std::string got = line(expected);
    const bool has_ignored = got == ignored;
    while (got == ignored) got = line(expected);
    if (got == expected) return has_ignored;
    throw Fault(name_ + " expects " + quoted(expected) + ", but got " + quoted(got));
  }

  /// After some time, no other line has come.
  void expect_silence(const std::string& why) {
    if (got_.empty()) take(150ms);
    if (!got_.empty())
      throw Fault(name_ + " got " + quoted(got_.substr(0, got_.find('\n'))) + ", but " + why);
    if (ended_) throw Fault("the connection of " + name_ + " was closed, but " + why);
  }

  /// The server closes the connection. What it sends before doesn't matter.
  void expect_end(const std::string& why) {
    const Clock::time_point end = Clock::now() + 5s;
    while (!ended_ && Clock::now() < end) take(100ms);
    if (!ended_) throw Fault("the connection of " + name_ + " stays open, but " + why);
  }

  const std::string& name() const { return name_; }

 private:
  bool ready(short events, std::chrono::milliseconds limit) const {
    pollfd socket{fd_, events, 0};
    return ::poll(&socket, 1, static_cast<int>(limit.count())) > 0;
  }

  /// Takes what has arrived. Returns false if nothing has come within `limit`.
  bool take(std::chrono::milliseconds limit) {
    if (!ready(POLLIN, limit)) return false;
    char buffer[65536];
    const ssize_t count = ::recv(fd_, buffer, sizeof buffer, 0);
    ended_ = count <= 0;
    if (!ended_) got_.append(buffer, static_cast<std::size_t>(count));
    return !ended_;
  }

  std::string name_;
  int fd_;
  std::string got_;
  bool ended_ = false;
};

/// The program, from its start to its end. What it prints is in two files.
class Server {
 public:
  explicit Server(const std::string& program) {
    std::remove((program + ".output").c_str());  // it has the port of another process
    process_ = ::fork();
    if (process_ == 0) {
      std::signal(SIGPIPE, SIG_DFL);
      ::dup2(::open((program + ".output").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), 1);
      ::dup2(::open((program + ".errors").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), 2);
      ::execl(program.c_str(), program.c_str(), "0", nullptr);
      std::perror(program.c_str());
      std::_Exit(127);
    }
    std::string text;
    for (int i = 0; i < 500 && text.find('\n') == std::string::npos; ++i) {  // 5 s
      std::this_thread::sleep_for(10ms);
      text = contents(program + ".output");
    }
    text.resize(std::min(text.size(), text.find('\n')));
    const char* const all_digits = "0123456789";
    const std::size_t last = text.find_last_of(all_digits);
    if (last == std::string::npos)
      throw Fault(
          "the last number in the server's first line must be its port, for example \"Starting "
          "server at port 40001...\", and the line be flushed, but after 5 s it has printed " +
          quoted(text));
    port_ = std::atoi(text.c_str() + (text.find_last_not_of(all_digits, last) + 1));
  }
  Server(const Server&) = delete;
  ~Server() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }

  Client client(const std::string& name, bool reads_late = false) const {
    return Client(port_, name, reads_late);
  }
  Client guest(const std::string& name, bool reads_late = false) const {
    Client guest = client(name, reads_late);
    guest.say(name);
    guest.expect("* welcome, " + name);
    return guest;
  }

  void expect_alive() {
    int status;
    if (::waitpid(process_, &status, WNOHANG) == process_)
      throw Fault("the server has ended: " + how(status));
  }

  /// Why the process has ended, for a message; empty if it runs.
  std::string last_words() {
    int status;
    for (int i = 0; i < 30; ++i) {
      if (::waitpid(process_, &status, WNOHANG) == process_) {
        process_ = 0;
        return "; the server has ended: " + how(status);
      }
      std::this_thread::sleep_for(10ms);
    }
    return "";
  }

  void interrupt() const { ::kill(process_, SIGINT); }

  /// The process ends within three seconds, with exit status 0.
  void expect_end() {
    int status;
    for (int i = 0; ::waitpid(process_, &status, WNOHANG) != process_; ++i) {
      if (i == 300) throw Fault("the server still runs 3 s after Ctrl-C");
      std::this_thread::sleep_for(10ms);
    }
    process_ = 0;
    if (status != 0)
      throw Fault("the server must end with exit status 0, and ended by " + how(status));
  }

  /// Memory in KiB, or -1 if the system doesn't tell.
  long memory() const {
    const std::string text = contents("/proc/" + std::to_string(process_) + "/status");
    const std::size_t at = text.find("VmRSS:");
    return at == std::string::npos ? -1 : std::atol(text.c_str() + at + 6);
  }

  /// CPU time in ms, or -1 if the system doesn't tell.
  long cpu() const {
    const std::string text = contents("/proc/" + std::to_string(process_) + "/stat");
    std::istringstream words(text.substr(text.rfind(')') + 1));
    std::string word;
    for (int i = 0; i < 11; ++i) words >> word;
    long user = 0, system = 0;
    return words >> user >> system ? (user + system) * 1000 / ::sysconf(_SC_CLK_TCK) : -1;
  }

  std::string not_checked;  ///< what this system can't tell, for the report

 private:
  static std::string how(int status) {
    return WIFSIGNALED(status) ? std::string("by a signal, ") + ::strsignal(WTERMSIG(status))
                               : "exit status " + std::to_string(WEXITSTATUS(status));
  }

  pid_t process_ = 0;
  int port_ = 0;
};

void talk(Server& server) {
  Client ann = server.guest("ann"), bob = server.guest("bob");
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
  Client ann = server.guest("ann"), second = server.client("the second ann");
  second.say("ann");
  second.expect("! ann is taken");
  ann.expect_silence("the second ann has no name yet, so it can't have joined");
  ann.say("hello");
  second.expect_silence("it has no name yet, so it is in no room");
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
  second.say("/quit");
  second.expect_end("eve has said /quit");
  Client fourth = server.guest("eve");  // so is this one
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
  bob.say("/nick rob");
  ann.expect("* bob is now rob");
  eve.expect_silence("bob is in another room");
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
  ann.say(std::string(4095, 'x'));  // 4096 bytes, with its end
  bob.expect("ann: " + std::string(4095, 'x'));
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
  for (const std::string name : {"closing", "resetting"}) {
    Client other = server.guest(name);
    ann.expect("* " + name + " has joined");
    ann.say("hello, " + name);
    name == "closing" ? other.end_its_side() : other.reset();
    ann.expect("* " + name + " has left");
    if (name == "closing") other.expect_end("it has ended its side");
    server.expect_alive();
  }
  Client nameless = server.client("nameless");
  nameless.end_its_side();
  nameless.expect_end("it has ended its side");
  for (int i = 0; i < 50; ++i) server.client("nameless").reset();
  ann.expect_silence("clients without a name have come and gone");
  server.guest("resetting");  // its name is free again
}

void crowd(Server& server) {
  constexpr std::size_t size = 200;
  std::vector<Client> clients;
  for (std::size_t i = 0; i < size; ++i) clients.push_back(server.guest("c" + std::to_string(i)));
  for (Client& client : clients) client.say("I am " + client.name());
  for (Client& client : clients) {
    std::set<std::string> greetings;
    while (greetings.size() < size - 1) {
      const std::string got =
          client.line("199 greetings; " + std::to_string(greetings.size()) + " have come");
      if (got.find(": I am ") == std::string::npos) continue;
      if (!greetings.insert(got).second)
        throw Fault(client.name() + " got " + quoted(got) + " twice");
    }
  }
}

/// The server uses no CPU time.
void expect_idle(Server& server, const std::string& now) {
  std::this_thread::sleep_for(300ms);
  const long before = server.cpu();
  if (before < 0) server.not_checked = "its CPU time, because there is no /proc";
  std::this_thread::sleep_for(1s);
  const long used = server.cpu() - before;
  if (used > 50)
    throw Fault(now + ", but the server has used " + std::to_string(used) +
                " ms of a second: does a task run again and again instead of waiting?");
}

void idle(Server& server) {
  std::deque<Client> clients;
  for (int i = 0; i < 20; ++i) clients.push_back(server.guest("c" + std::to_string(i)));
  for (int i = 0; i < 20; ++i) clients.push_back(server.client("silent"));
  for (std::size_t i = 0; i < 5; ++i) clients[i].say("/quit");
  for (std::size_t i = 0; i < 5; ++i) clients[i].expect_end("it has said /quit");
  for (std::size_t i = 5; i < 10; ++i) clients[i].end_its_side();
  expect_idle(server, "nobody says anything");
}

void slow(Server& server) {
  Client slow = server.guest("slow", true);
  Client ann = server.guest("ann"), bob = server.guest("bob");
  ann.expect("* bob has joined");
  const long before = server.memory();
  if (before < 0) server.not_checked = "its memory and its CPU time, because there is no /proc";
  int left = 0;
  for (int i = 1; i <= 24000; ++i) {  // 24 MB
    const std::string said = std::to_string(i) + std::string(1000, 'x');
    ann.say(said);
    try {
      if (bob.expect("ann: " + said, "* slow has left")) left = i;
    } catch (const Fault& fault) {
      throw Fault("slow has read nothing of " + std::to_string(i) + " KB; now " + fault.what());
    }
    if (i == 500) expect_idle(server, "slow is half a MiB behind, and nobody says anything");
  }
  const long grown = server.memory() - before;
  if (grown > 16384)
    throw Fault("slow is 24 MB behind, and the server has grown by " +
                std::to_string(grown / 1024) +
                " MiB: cut off the clients that are more than 1 MiB behind");
  if (left == 0) throw Fault("bob expects \"* slow has left\", because slow is 24 MB behind");
  if (left < 1000)
    throw Fault("slow was cut off after " + std::to_string(left) + " KB; it may be 1 MiB behind");
  slow.expect_end("it is 24 MB behind");
}

void end(Server& server) {
  Client ann = server.guest("ann"), bob = server.guest("bob");
  ann.expect("* bob has joined");
  ann.say("/join tea");
  ann.expect("* you are in tea");
  bob.expect("* ann has left");
  Client nameless = server.client("nameless");
  Client slow = server.guest("slow", true);
  bob.expect("* slow has joined");
  for (int i = 0; i < 900; ++i) bob.say(std::string(1000, 'x'));
  bob.say("/nick rob");
  bob.expect("* bob is now rob");  // so the server has read all of it
  bob.send("half a li");
  server.interrupt();
  for (Client* client : {&ann, &bob}) client->expect("* the server ends", "* slow has left");
  for (Client* client : {&ann, &bob, &nameless})
    client->expect_end("the server has got SIGINT: does it still run?");
  server.expect_end();
  try {
    server.client("late");
  } catch (const Fault&) {
    return;
  }
  throw Fault("the server has ended, but its port still accepts clients");
}

/// Prints a text below the name of its scenario, in lines of at most 76 columns.
void print_wrapped(std::string text) {
  while (!text.empty()) {
    std::size_t size = text.size();
    if (size > 63) size = text.rfind(' ', 63) + 1;
    if (size == 0) size = 63;
    std::printf("             %s\n", text.substr(0, size).c_str());
    text.erase(0, size);
  }
}

struct Scenario {
  const char* name;
  void (*run)(Server&);
  const char* what;
};

/// Returns false if the server has failed.
bool passes(const Scenario& scenario, const std::string& program) {
  std::printf("  %-8s ", scenario.name);
  std::fflush(stdout);
  too_late = Clock::now() + 120s;
  try {
    Server server(program);
    try {
      scenario.run(server);
    } catch (const Fault& fault) {
      throw Fault(fault.what() + server.last_words());
    }
    if (scenario.run != end) server.expect_alive();
    std::printf("ok     %s\n", scenario.what);
    if (!server.not_checked.empty()) print_wrapped("not checked: " + server.not_checked);
    return true;
  } catch (const Fault& fault) {
    std::printf("FAIL   %s\n", scenario.what);
    print_wrapped(fault.what());
  }
  std::istringstream errors(contents(program + ".errors"));
  std::string line;
  for (int i = 0; i < 5 && std::getline(errors, line); ++i)
    print_wrapped("it has said: " + line.substr(0, 150));
  return false;
}

int main(int argc, char** argv) {
  // For send(), and so that the server is ended even if nobody reads the report.
  std::signal(SIGPIPE, SIG_IGN);
  const std::vector<Scenario> scenarios{
      {"talk", talk, "two clients hear each other"},
      {"names", names, "a name belongs to one client"},
      {"rooms", rooms, "a room hears only itself"},
      {"pieces", pieces, "lines arrive in any pieces"},
      {"leaves", leaves, "a client leaves at its end, or by a reset"},
      {"crowd", crowd, "200 clients in one room hear each other"},
      {"idle", idle, "waiting takes no CPU time"},
      {"slow", slow, "a client that doesn't read stops nobody"},
      {"end", end, "Ctrl-C ends it, and every client hears of it"},
  };
  if (argc < 2) {
    std::fputs("usage: judge PROGRAM [SCENARIO...]\n", stderr);
    return 2;
  }
  const std::vector<std::string> wanted(argv + 2, argv + argc);
  for (const Scenario& scenario : scenarios) {
    if (!wanted.empty() && std::count(wanted.begin(), wanted.end(), scenario.name) == 0) continue;
    if (!passes(scenario, argv[1])) return 1;
  }
}
