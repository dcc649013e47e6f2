// Step 9's servers on the real loopback, since libuv makes its system calls itself; the clients are
// tasks beside the server's, and the input decides what they do.
#include <fuzzer/FuzzedDataProvider.h>

#include <csignal>
#include <sstream>

#include "answers.hpp"
#include "descriptors.hpp"
#include "server.hpp"
#include "wrong.hpp"

using namespace coop;

Coroutine<> handle_client(std::shared_ptr<Server> server, std::unique_ptr<Stream> stream);

namespace {

/// What the clients share.
struct Visit {
  explicit Visit(FuzzedDataProvider& input) : choices(input) {}

  FuzzedDataProvider& choices;
  std::ostringstream said;  // by the server
  std::vector<Peer> peers;
  std::size_t busy = 0;  // who has not got all yet
  ManualEvent all_content{"all clients have got what they wanted"};
  bool was_asked_to_end = false;
  bool was_stopped = false;  // before all were content

  /// Once: a second signal would end any program.
  void stop() {
    if (!std::exchange(was_asked_to_end, true)) std::raise(SIGTERM);
  }
  std::vector<Address> address() const {
    const std::string words = "port ";
    return {
        Address("127.0.0.1", std::stoi(said.str().substr(said.str().find(words) + words.size())))};
  }
  void is_content(Peer* peer) {
    if (!std::exchange(peer->has_ended, true) && --busy == 0) all_content.set();
  }
};

/// Sends piece by piece; others do something meanwhile, or the reactor looks around.
Coroutine<> send_pieces(Visit* visit, Peer* peer, Stream* stream) {
  for (const std::string& piece : peer->pieces) {
    co_await stream->write(piece);
    peer->read += piece;
    for (int turns = visit->choices.ConsumeIntegralInRange(0, 3); turns > 0; --turns) {
      co_await delay(Clock::duration::zero());
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
    if (peer->end == End::stays && wants_no_more(*peer)) visit->is_content(peer);
    more = co_await stream->read();
    peer->received += more;
  } while (!more.empty());
}

Coroutine<> be_client(Visit* visit, Peer* peer) {
  try {
    const std::unique_ptr<Stream> stream = co_await connect(visit->address());
    co_await talk(visit, peer, stream.get());
  } catch (const UvError&) {  // the server has gone
    if (!visit->was_stopped) wrong("the server has cut a client off");
  }
  visit->is_content(peer);
}

Coroutine<> visit_server(Visit* visit) {
  while (visit->said.str().empty()) {
    co_await suspend();
  }
  visit->busy = visit->peers.size();
  for (Peer& peer : visit->peers) spawn(be_client(visit, &peer));
  if (visit->busy > 0) {
    co_await wait(visit->all_content);
  }
  visit->stop();
}

void check(Peer& peer, bool was_stopped) {
  const std::size_t body = peer.received.find("request:\n\n");
  if (body != std::string::npos) peer.first_read = peer.received.substr(body + 10);
  if (!begins(peer.read, peer.first_read)) wrong("an answer to what was not sent");
  peer.has_been_read = !peer.received.empty();
  peer.end_was_read = true;
  if (!is_right(peer, peer.end != End::resets && !was_stopped, was_stopped))
    wrong("not the right answer");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const UvReactor keeps_what_libuv_opens_once_only;
  const SameDescriptors same_descriptors;
  FuzzedDataProvider choices(data, size);
  Visit visit(choices);
  visit.peers = some_peers(choices);
  std::cout.rdbuf(visit.said.rdbuf());
  {
    UvReactor reactor;
    Scheduler scheduler(reactor);
    scheduler.spawn(visit_server(&visit));
    scheduler.run(listen_and_serve(Options{0}, handle_client));
  }
  if (pool_statistics().in_use != 0) wrong("a frame is left");
  for (Peer& peer : visit.peers) check(peer, visit.was_stopped);
  std::cout.rdbuf(nullptr);  // what is said goes with the visit
  return 0;
}

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  set_pool_block(0);  // each frame from the heap, where it is watched
  return LLVMFuzzerTestOneInput(nullptr, 0);
}
