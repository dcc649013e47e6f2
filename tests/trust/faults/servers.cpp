// servers [--all] PROGRAM...: starts a server again and again. Each time, one of its system calls
// fails, first the first call, then the second, and so on. No client but the one of that call may
// notice it, and no memory and no file descriptor may be left. With --all, each call fails with
// each of its errors in turn; otherwise with one of them.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "fault.hpp"
#include "peer.hpp"
#include "server_faults.hpp"
#include "server_process.hpp"

namespace {

/// A server program, and what its clients can expect.
struct Subject {
  explicit Subject(const std::string& path) : program(path) {
    is_echo = has("echo");
    faults = has("step09") ? faults_of_step09 : faults_of_step07;
  }

  bool has(const char* text) const { return program.find(text) != std::string::npos; }

  std::string program;
  bool is_echo;
  std::vector<Kind> faults;
};

std::string web_response(const std::string& request) {
  const std::string message = "Received following request:\n\n" + request;
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(message.size()) + "\r\nConnection: close\r\n\r\n" + message;
}

std::string echo_response(const std::string& lines) {
  std::string answer;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size() - 1) + 1;
    answer += "GOT:" + lines.substr(at, end - at);
    at = end;
  }
  return answer;
}

/// What the clients have noticed.
struct Clients {
  int lost = 0;         ///< the number of clients without their whole response
  bool wrong = false;   ///< a client got a byte that doesn't belong to its response
  bool waited = false;  ///< a client got nothing for ten seconds, not even the end of the stream
};

class Client {
 public:
  Client(const Subject& subject, int port, std::string request)
      : subject_(subject), request_(std::move(request)), peer_(port) {}

  void send() const {
    peer_.send(request_);
    if (subject_.is_echo) peer_.end();
  }

  void receive(Clients& all) {
    const std::string response = peer_.read();
    const std::string right = subject_.is_echo ? echo_response(request_) : web_response(request_);
    all.waited |= peer_.error() == EAGAIN;
    if (response != right) ++all.lost;
    all.wrong |= !right.starts_with(response);
  }

 private:
  const Subject& subject_;
  std::string request_;
  Peer peer_;
};

/// The result of a run.
struct Outcome {
  bool started = false;
  Clients clients, fresh;
  int descriptors = 0;  ///< of the server, after the clients have closed their connections
  int status = 0;
  std::vector<std::string> errors;  ///< lines on stderr
  Report report;
};

void ask(const Subject& subject, int port, const std::string& request, Clients& all) {
  Client client(subject, port, request);
  client.send();
  client.receive(all);
}

void talk(const Subject& subject, int port, Clients& all) {
  ask(subject, port, "GET /first HTTP/1.1\r\n\r\n", all);
  Client second(subject, port, "GET /second\r\nA: 2\r\n\r\n"),
      third(subject, port, "GET /3\r\n\r\n");
  third.send();
  second.send();
  second.receive(all);
  third.receive(all);
  Peer rude(port);
  rude.send("GET /rude HTTP/1.1\r\n\r\n");
  rude.reset();
}

/// Waits until the server has nothing to do and no more than the expected number of descriptors,
/// but at most five seconds. Returns the number of its descriptors.
int descriptors_of(const ServerProcess& server, int expected) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  do {
    server.wait_until_asleep();
  } while (server.descriptors() > expected && std::chrono::steady_clock::now() < end);
  return server.descriptors();
}

Outcome run(const Subject& subject, const Fault& fault, ReportFile& file, int descriptors) {
  Outcome outcome;
  ServerProcess server(subject.program, file.prepare(fault));
  const int port = server.read_port();
  outcome.started = port > 0;
  if (outcome.started) {
    Peer silent(port);
    talk(subject, port, outcome.clients);
    ask(subject, port, "GET /fresh HTTP/1.1\r\n\r\n", outcome.fresh);
    outcome.descriptors = descriptors_of(server, descriptors);
    if (silent.is_readable()) ++outcome.clients.lost;
    server.signal(SIGTERM);
    silent.close();  // otherwise the web server leaves it two seconds
  }
  outcome.status = server.wait();
  for (std::string line; !(line = server.error_line()).empty();) outcome.errors.push_back(line);
  outcome.report = file.take();
  return outcome;
}

/// Returns what is wrong with a run, or an empty string.
std::string complaint(const Outcome& found, Cost cost, const Outcome& normal) {
  const int lost = found.clients.lost + found.fresh.lost;
  if (!found.report.exists) return "it was killed or has aborted";
  if (found.clients.waited || found.fresh.waited) return "a client got nothing for ten seconds";
  if (found.clients.wrong || found.fresh.wrong) return "a client got a wrong response";
  if (cost == Cost::the_server || (cost == Cost::either && found.status == 1)) {
    const bool is_clear = found.status == 1 && found.errors.size() == 1;
    return is_clear ? "" : "it did not end with one line and exit status 1";
  }
  if (!found.started) return "it did not start";
  if (found.status != 0) return "its exit status is " + std::to_string(found.status);
  if (lost > 1 && cost != Cost::all_waiting) return "more than one client lost its response";
  if (lost > 0 && (cost == Cost::nothing || cost == Cost::a_line))
    return "a client lost its response";
  if (found.report.memory > normal.report.memory) return "memory is lost";
  if (found.report.descriptors > normal.report.descriptors)
    return "a descriptor is open at the end";
  if (found.descriptors > normal.descriptors) return "a descriptor of a client is open";
  if (!found.errors.empty() && cost == Cost::nothing) return "it printed an error";
  return "";
}

/// Tries the faults of a server, and counts them.
class Sweep {
 public:
  Sweep(Subject subject, bool all) : subject_(std::move(subject)), all_(all) {
    normal_ = run(subject_, Fault{"nothing"}, file_, INT_MAX);
    check(Fault{"nothing"}, normal_, Cost::nothing);
  }

  void try_kind(const Kind& kind) {
    const int calls = run(subject_, Fault{kind.call}, file_, normal_.descriptors).report.calls;
    const int errors = static_cast<int>(kind.errors.size());
    for (int at = 0; at < calls; ++at) {
      for (int i = 0; i < errors; ++i) {
        if (!all_ && i != at % errors) continue;
        const Fault fault{kind.call, kind.errors[static_cast<std::size_t>(i)], at};
        try_fault(fault, kind.cost);
      }
    }
  }

  void try_fault(const Fault& fault, Cost cost) {
    const Outcome outcome = run(subject_, fault, file_, normal_.descriptors);
    faults += outcome.report.faults;
    if (outcome.report.faults > 0 || !outcome.report.exists) check(fault, outcome, cost);
  }

  int faults = 0, bad = 0;

 private:
  void check(const Fault& fault, const Outcome& outcome, Cost cost) {
    const std::string what = complaint(outcome, cost, normal_);
    if (what.empty()) return;
    ++bad;
    std::cout << subject_.program << ": " << fault.text() << ": " << what << std::endl;
    for (const std::string& line : outcome.errors) std::cout << "  " << line << std::endl;
  }

  Subject subject_;
  bool all_;
  ReportFile file_;
  Outcome normal_;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> programs(argv + 1, argv + argc);
  const bool all = !programs.empty() && programs[0] == "--all";
  if (all) programs.erase(programs.begin());
  int faults = 0, bad = 0;
  for (const std::string& program : programs) {
    const Subject subject(program);
    Sweep sweep(subject, all);
    for (const Kind& kind : faults_of_starting) sweep.try_kind(kind);
    for (const Kind& kind : subject.faults) sweep.try_kind(kind);
    std::cout << program << ": " << sweep.faults << " faults" << std::endl;
    faults += sweep.faults;
    bad += sweep.bad;
  }
  std::cout << faults << " faults in all, " << bad << " with a wrong result\n";
  return faults > 0 && bad == 0 ? 0 : 1;
}
