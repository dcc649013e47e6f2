// The servers of step 9 on the real loopback, because libuv makes its system calls itself. The
// clients are tasks next to those of the server, and the input decides what they do.
#include <fuzzer/FuzzedDataProvider.h>

#include <csignal>
#include <sstream>

#include "responses.hpp"
#include "server.hpp"
#include "wrong.hpp"

using namespace coop;

Coroutine<> handle_client(Stream client, Event* ending);

namespace {

/// The clients, and what they share.
struct Visit {
  explicit Visit(FuzzedDataProvider& input) : choices(input) {}

  FuzzedDataProvider& choices;
  std::ostringstream output;  // of the server
  std::vector<Peer> peers;
  std::size_t busy = 0;  // the number of clients that have not finished
  ManualEvent all_finished{"all clients have finished"};
  bool was_asked_to_end = false;
  bool was_stopped = false;  // before all clients had finished

  /// Sends the signal once, because a second one could arrive after the end of the server.
  void stop() {
    if (!std::exchange(was_asked_to_end, true)) std::raise(SIGTERM);
  }
  Address address() const {
    const std::string words = "port ", text = output.str();
    return Address("127.0.0.1", std::stoi(text.substr(text.find(words) + words.size())));
  }
  void has_finished(Peer* peer) {
    if (!std::exchange(peer->has_ended, true) && --busy == 0) all_finished.set();
  }
};

/// Sends piece by piece. In between, other tasks run, and the reactor polls.
Coroutine<> send_pieces(Visit* visit, Peer* peer, Stream* stream) {
  for (const std::string& piece : peer->pieces) {
    co_await stream->write(piece);
    peer->reads.push_back(piece);
    for (int turns = visit->choices.ConsumeIntegralInRange(0, 3); turns > 0; --turns) {
      co_await sleep(Clock::duration::zero());
    }
    if (visit->choices.ConsumeIntegralInRange(0, 255) < 255) continue;
    visit->was_stopped = true;
    visit->stop();
  }
}

Coroutine<> talk(Visit* visit, Peer* peer, Stream* stream) {
  co_await send_pieces(visit, peer, stream);
  if (peer->end == End::resets) {
    const linger none{1, 0};
    ::setsockopt(stream->descriptor(), SOL_SOCKET, SO_LINGER, &none, sizeof none);
    co_return;
  }
  if (peer->end == End::closes) {
    co_await stream->end_writing();
  }
  std::string more;
  do {
    if (peer->end == End::stays && wants_no_more(*peer)) visit->has_finished(peer);
    more = co_await stream->read();
    peer->received += more;
  } while (!more.empty());
}

Coroutine<> be_client(Visit* visit, Peer* peer) {
  try {
    Stream stream = co_await connect(visit->address());
    co_await talk(visit, peer, &stream);
  } catch (const UvError&) {  // the server has ended
    if (!visit->was_stopped) wrong("the server has closed a connection too early");
  }
  visit->has_finished(peer);
}

/// In the end, closes the connections that the clients keep, because the server would leave them
/// two seconds.
Coroutine<> visit_server(Visit* visit) {
  while (visit->output.str().empty()) {
    co_await yield();
  }
  visit->busy = visit->peers.size();
  Scope clients;
  for (Peer& peer : visit->peers) clients.spawn(be_client(visit, &peer));
  if (visit->busy > 0) {
    co_await visit->all_finished;
  }
  visit->stop();
}

/// Divides the data that a client has sent into the request in the response, the rest, and the end.
void find_reads(Peer& peer) {
  const std::string sent = peer.read(), start = "request:\n\n";
  const std::size_t found = peer.received.find(start);
  if (found != std::string::npos) {
    const std::string request = peer.received.substr(found + start.size());
    if (!begins(sent, request)) wrong("a response to a request that was not sent");
    peer.reads = {request, sent.substr(request.size())};
  }
  if (found != std::string::npos || peer.end == End::closes) peer.reads.push_back("");
}

void check(Peer& peer, bool was_stopped) {
  find_reads(peer);
  if (!is_right(peer, peer.end != End::resets && !was_stopped, was_stopped))
    wrong("not the right response");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const UvReactor keeps_what_libuv_opens_once_only;
  const SameDescriptors same_descriptors;
  FuzzedDataProvider choices(data, size);
  Visit visit(choices);
  visit.peers = some_peers(choices);
  std::cout.rdbuf(visit.output.rdbuf());
  {
    UvReactor reactor;
    Scheduler scheduler(reactor);
    scheduler.spawn(visit_server(&visit));
    scheduler.run(listen_and_serve(0, handle_client));
  }
  if (pool_statistics().in_use != 0) wrong("a frame was not destroyed");
  for (Peer& peer : visit.peers) check(peer, visit.was_stopped);
  std::cout.rdbuf(nullptr);  // the buffer is destroyed with the visit
  return 0;
}

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  set_pool_block(0);  // each frame is on the heap, where AddressSanitizer checks it
  return LLVMFuzzerTestOneInput(nullptr, 0);
}
