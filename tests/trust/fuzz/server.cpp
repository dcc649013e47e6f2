// A server program, whole, on a network that the input decides: how many clients there are, what
// each sends and in which pieces, when it takes what it is sent and how it ends, which calls fail,
// and when the server is asked to end. Whatever that is, the server ends, has closed all, and each
// client has got what is right.
#include <iostream>

#include "answers.hpp"
#include "descriptors.hpp"
#include "network.hpp"
#include "wrong.hpp"

int server_main(int count, char** words);  // the program's own main()

namespace {

void check(const Peer& peer, bool may_be_cut_off) {
  if (!peer.is_accepted && !may_be_cut_off) wrong("a client was not let in");
  if (!peer.is_accepted) return;
  if (!peer.is_closed) wrong("a connection was not closed");
  const bool takes_all = !peer.is_deaf && !peer.is_reset();
  if (is_right(peer, takes_all, may_be_cut_off)) return;
  std::cerr << "read:\n" << peer.read << "\nreceived:\n" << peer.received << std::endl;
  wrong("not the right answer");
}

/// Runs the program as if it had been started with `--port 0 --requests N`.
void serve(int requests) {
  std::string option = "--requests", number = std::to_string(requests), port = "--port", any = "0";
  char* words[] = {port.data(), port.data(), any.data(), option.data(), number.data(), nullptr};
  if (server_main(5, words) != 0) wrong("the server failed");
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  std::cout.rdbuf(nullptr);  // what it prints is for people
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const SameDescriptors same_descriptors;
  FuzzedDataProvider choices(data, size);
  const int requests = choices.ConsumeBool() ? 1000000 : choices.ConsumeIntegralInRange(1, 9);
  Network network(choices);
  serve(requests);
  for (const Peer& peer : network.peers()) check(peer, network.was_stopped() || requests < 10);
  return 0;
}
