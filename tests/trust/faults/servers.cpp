// servers [--all] PROGRAM...: one system call of a server fails, the first one, the second one, and
// so on, with each error that it may have. What must hold is always the same: nobody but the client
// whose call it was notices, and nothing is left. Without --all each call gets one of its errors
// only.
#include <chrono>
#include <climits>
#include <csignal>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "fault.hpp"
#include "peer.hpp"
#include "server_faults.hpp"
#include "server_process.hpp"

namespace {

/// A program, and the way its clients talk to it.
struct Subject {
  explicit Subject(std::string path)
      : program(std::move(path)),
        is_echo(program.find("echo") != std::string::npos),
        faults(program.find("step09") == std::string::npos ? faults_by_hand : faults_of_libuv) {
    faults.push_back(no_memory);
  }

  std::string program;
  bool is_echo;
  std::vector<Kind> faults;
};

std::string web_answer(const std::string& request) {
  const std::string message = "Received following request:\n\n" + request;
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(message.size()) + "\r\nConnection: close\r\n\r\n" + message;
}

std::string echo_answer(const std::string& lines) {
  std::string answer;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size() - 1) + 1;
    answer += "GOT:" + lines.substr(at, end - at);
    at = end;
  }
  return answer;
}

/// What has become of the clients.
struct Clients {
  int lost = 0;         ///< have not got all of their answer
  bool wrong = false;   ///< one got a byte that is not of its answer
  bool waited = false;  ///< one got nothing for ten seconds, not even an end
};

class Client {
 public:
  Client(const Subject& subject, int port, std::string request)
      : is_echo_(subject.is_echo), request_(std::move(request)), peer_(port) {}

  void send() const {
    peer_.send(request_);
    if (is_echo_) peer_.end();
  }

  void receive(Clients& all) {
    const std::string answer = peer_.read();
    all.waited |= peer_.error() == EAGAIN;
    if (is_answer(answer)) return;
    ++all.lost;
    all.wrong |= !begins_answer(answer);
  }

 private:
  /// One read makes the request of the web server; it may have been a short one.
  std::string possible(std::size_t size) const {
    return is_echo_ ? echo_answer(request_) : web_answer(request_.substr(0, size));
  }
  bool is_answer(const std::string& answer) const {
    return answer == possible(request_.size()) || answer == possible(1);
  }
  bool begins_answer(const std::string& answer) const {
    return possible(request_.size()).starts_with(answer) || possible(1).starts_with(answer);
  }

  bool is_echo_;
  std::string request_;
  Peer peer_;
};

/// What came of a run.
struct Outcome {
  bool started = false;
  Clients clients, fresh;
  int descriptors = 0;  ///< of the server, when the clients have gone
  int status = 0;
  std::vector<std::string> said;  ///< lines on stderr
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

/// Of the server, when the clients have gone: waits until no more are left than there should be,
/// but not for ever; and until it has done all it had to.
int descriptors_of(const ServerProcess& server, int expected) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  do {
    server.wait_until_asleep();
  } while (server.descriptors() > expected && std::chrono::steady_clock::now() < end);
  return server.descriptors();
}

Outcome run(const Subject& subject, const Fault& fault, ReportFile& file, int descriptors) {
  Outcome outcome;
  ServerProcess server(subject.program.c_str(), {"--port", "0"}, file.prepare(fault));
  const int port = server.read_port();
  outcome.started = port > 0;
  if (outcome.started) {
    Peer silent(port);
    talk(subject, port, outcome.clients);
    ask(subject, port, "GET /fresh HTTP/1.1\r\n\r\n", outcome.fresh);
    outcome.descriptors = descriptors_of(server, descriptors);
    if (silent.readable_within(std::chrono::milliseconds(0))) ++outcome.clients.lost;
    server.signal(SIGTERM);
  }
  outcome.status = server.wait();
  for (std::string line; !(line = server.error_line()).empty();) outcome.said.push_back(line);
  outcome.report = file.take();
  return outcome;
}

/// What is wrong with a run; nothing if it is as it should be.
std::string complaint(const Outcome& found, Cost cost, const Outcome& normal) {
  const int lost = found.clients.lost + found.fresh.lost;
  if (!found.report.exists)
    return "it did not end by itself, status " + std::to_string(found.status);
  if (found.clients.waited || found.fresh.waited) return "a client waits for ever";
  if (found.clients.wrong || found.fresh.wrong) return "a client got what is not its answer";
  if (found.report.memory > normal.report.memory) return "memory is lost";
  if (found.status == 0 && found.report.descriptors > normal.report.descriptors)
    return "a descriptor is left at the end";
  if (cost == Cost::the_server || (cost == Cost::either && found.status == 1)) {
    return found.status == 1 && found.said.size() == 1 ? "" : "it does not end with one clear line";
  }
  if (!found.started) return "it does not start";
  if (found.status != 0) return "it ends with status " + std::to_string(found.status);
  if (lost > 1 && cost != Cost::who_waits) return "a fault hits more than one client";
  if (lost > 0 && cost == Cost::nothing) return "a client does not get its answer";
  if (found.descriptors > normal.descriptors) return "a descriptor is left";
  if (!found.said.empty() && cost == Cost::nothing) return "it talks of what is no news";
  return "";
}

/// All faults of one kind. Gives how many there were that were not as they should be.
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
    for (const std::string& line : outcome.said) std::cout << "  " << line << std::endl;
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
  std::cout << faults << " faults in all, " << bad << " not as they should be\n";
  return faults > 0 && bad == 0 ? 0 : 1;
}
