// A chat server. Talk to it with `nc 127.0.0.1 7000` in two terminals: the first line is your name,
// /join ROOM, /nick NAME and /quit are commands, and any other line is said to your room.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "server.hpp"

using namespace coop;
using namespace std::chrono_literals;

/// A client of the chat. All guests are in one list. No member function waits, so no guest comes or
/// leaves in the middle of one, and the list needs no lock.
class Guest {
 public:
  Guest(std::vector<Guest*>* all, Stream its_stream) : stream(std::move(its_stream)), all_(all) {
    all_->push_back(this);
  }

  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;

  /// However the task of a guest ends, the guest has left.
  ~Guest() {
    std::erase(*all_, this);
    if (!name_.empty()) tell_others("* " + name_ + " has left");
  }

  Stream stream;
  std::string unsent;                         // the lines that write_lines() has to write
  ManualEvent more{"a line for the client"};  // happens when there are some

  /// Does what a line of the client says. Returns false if it was the last one.
  bool handle(std::string line) {
    // No control character reaches the terminals of the others.
    std::erase_if(line, [](unsigned char c) { return c < ' ' || c == 127; });
    if (name_.empty()) {
      take_name(line);
    } else if (line == "/quit") {
      return false;
    } else if (line.starts_with("/nick ")) {
      take_name(line.substr(6));
    } else if (line.starts_with("/join ")) {
      go_to(line.substr(6));
    } else {
      tell_others(name_ + ": " + line);
    }
    return true;
  }

  /// Adds a line to those that the client gets. A client that is too far behind is cut off: then
  /// its reads and writes fail. To wait for it instead would stop all others.
  void tell(const std::string& line) {
    if (unsent.size() + line.size() > std::size_t{1} << 20) return stream.close();
    unsent += line + '\n';
    more.set();
  }

 private:
  void take_name(const std::string& name) {
    const bool is_taken = std::ranges::find(*all_, name, &Guest::name_) != all_->end();
    if (name.empty() || is_taken) return tell("! " + name + " is taken");
    const std::string old = std::exchange(name_, name);
    if (old.empty()) {
      tell("* welcome, " + name);
      tell_others("* " + name + " has joined");
    } else {
      tell("* " + old + " is now " + name);
      tell_others("* " + old + " is now " + name);
    }
  }

  void go_to(const std::string& room) {
    tell_others("* " + name_ + " has left");
    room_ = room;
    tell("* you are in " + room);
    tell_others("* " + name_ + " has joined");
  }

  /// Tells a line to all other guests in the room. A guest without a name is in no room.
  void tell_others(const std::string& line) const {
    for (Guest* guest : *all_)
      if (guest != this && guest->room_ == room_ && !guest->name_.empty()) guest->tell(line);
  }

  std::vector<Guest*>* all_;
  std::string name_, room_ = "lobby";
};

/// Handles the lines of a client, until it has said /quit or ended its side. Throws UvError if the
/// connection is lost, or if a line has more than 4096 bytes.
Coroutine<> read_lines(Guest* guest) {
  BufferedReader lines(guest->stream, 4096);
  std::string line;
  do {
    line = co_await lines.read_line();
  } while (!line.empty() && guest->handle(line));
}

/// Writes what the guest is told. It is the only task that a slow client stops.
Coroutine<> write_lines(Guest* guest) {
  while (true) {
    co_await guest->more;
    guest->more.reset();
    co_await guest->stream.write(std::exchange(guest->unsent, ""));
  }
}

/// Serves a client until it leaves, is cut off, or the server ends. Then it has a second to take
/// the lines that are left.
Coroutine<> handle_client(std::vector<Guest*>* guests, Stream client, Event* ending) {
  client.no_delay();
  Guest guest(guests, std::move(client));
  const std::size_t first = co_await any_of(read_lines(&guest), write_lines(&guest), *ending);
  if (first == 2) guest.tell("* the server ends");
  co_await with_timeout(1s, guest.stream.write(std::move(guest.unsent)));
}

int main(int argc, char** argv) {
  std::vector<Guest*> guests;
  return serve(argc, argv, 7000, [&guests](Stream client, Event* ending) {
    return handle_client(&guests, std::move(client), ending);
  });
}
