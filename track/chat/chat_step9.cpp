// Our chat server on the library of step 9. Compare it with chat.cpp.
#include <sys/socket.h>

#include <iostream>
#include <list>
#include <string>

#include "../coop/run.hpp"
#include "../coop/uv/listener.hpp"
#include "../coop/uv/signal.hpp"

using namespace coop;
using namespace std::chrono_literals;

/// What the chat knows about a client.
struct Guest {
  Guest() = default;

  std::string name, room = "lobby";
  std::string unsent;                         // what write_lines() still has to write
  ManualEvent more{"a line for the client"};  // happens when there is something to write
  ManualEvent cut_off{"the end of a client that is too slow"};
};

/// All clients that have a name. No function waits.
class Chat {
 public:
  /// Handles one line. Returns false if it was the last one.
  bool handle(Guest* guest, const std::string& line) {
    if (guest->name.empty()) {
      enter(guest, line);
    } else if (line == "/quit") {
      return false;
    } else if (line.rfind("/join ", 0) == 0) {
      tell_others(guest, "* " + guest->name + " has left");
      guest->room = line.substr(6);
      tell(guest, "* you are in " + guest->room);
      tell_others(guest, "* " + guest->name + " has joined");
    } else if (line.rfind("/nick ", 0) == 0) {
      rename(guest, line.substr(6));
    } else {
      tell_others(guest, guest->name + ": " + line);
    }
    return true;
  }

  void leave(Guest* guest) {
    guests_.remove(guest);
    if (!guest->name.empty()) tell_others(guest, "* " + guest->name + " has left");
  }

  void tell(Guest* guest, const std::string& line) {
    if (guest->unsent.size() + line.size() > 1 << 20)
      guest->cut_off.set();
    else
      guest->unsent += line + '\n';
    guest->more.set();
  }

 private:
  void enter(Guest* guest, const std::string& name) {
    if (is_taken(name)) return tell(guest, "! " + name + " is taken");
    guest->name = name;
    guests_.push_back(guest);
    tell(guest, "* welcome, " + name);
    tell_others(guest, "* " + name + " has joined");
  }

  void rename(Guest* guest, const std::string& name) {
    if (is_taken(name)) return tell(guest, "! " + name + " is taken");
    const std::string line = "* " + guest->name + " is now " + name;
    tell(guest, line);
    tell_others(guest, line);
    guest->name = name;
  }

  bool is_taken(const std::string& name) const {
    for (const Guest* guest : guests_)
      if (guest->name == name) return true;
    return false;
  }

  void tell_others(const Guest* from, const std::string& line) {
    for (Guest* guest : guests_)
      if (guest != from && guest->room == from->room) tell(guest, line);
  }

  std::list<Guest*> guests_;
};

/// Handles the lines of a client until it leaves, or until one is too long.
Coroutine<> read_lines(Chat* chat, Guest* guest, Stream* stream) {
  std::string lines;
  while (lines.size() <= 4096) {
    const std::string data = co_await stream->read();
    if (data.empty()) co_return;
    lines += data;
    std::size_t end = 0;
    while ((end = lines.find('\n')) != std::string::npos) {
      std::string line = lines.substr(0, end);
      lines.erase(0, end + 1);
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (!chat->handle(guest, line)) co_return;
    }
  }
}

/// Writes what the chat has for a client.
Coroutine<> write_lines(Guest* guest, Stream* stream) {
  while (true) {
    co_await guest->more;
    guest->more.reset();
    std::string lines;
    lines.swap(guest->unsent);
    co_await stream->write(std::move(lines));
  }
}

/// Serves a client until it leaves, fails, is too slow, or the server ends.
Coroutine<> serve_client(Chat* chat, Stream stream, Event* ending) {
  Guest guest;
  try {
    const std::size_t first = co_await any_of(read_lines(chat, &guest, &stream),
                                              write_lines(&guest, &stream), guest.cut_off, *ending);
    if (first == 3) chat->tell(&guest, "* the server ends");
  } catch (const UvError&) {  // the connection is lost
  }
  chat->leave(&guest);
  if (guest.cut_off.is_ready()) co_return;
  try {
    co_await with_timeout(1s, stream.write(std::move(guest.unsent)));
  } catch (const UvError&) {
  } catch (const TimedOut&) {
  }
}

/// Starts a task for every client.
Coroutine<> accept_all(Chat* chat, Listener* listener, Scope* clients, Event* ending) {
  while (true) {
    Stream client = co_await listener->accept();
    clients->spawn(serve_client(chat, std::move(client), ending));
  }
}

Coroutine<> main_task(int port) {
  Signal interrupt(SIGINT), terminate(SIGTERM);
  Listener listener(Address("127.0.0.1", port));
  std::cout << "Starting server at port " << listener.port() << "..." << std::endl;
  Chat chat;
  ManualEvent ending("the end of the server");
  Scope clients;
  co_await any_of(accept_all(&chat, &listener, &clients, &ending), interrupt, terminate);
  listener.close();
  ending.set();
  co_await clients.join();
}

int main(int argc, char** argv) {
  coop::run(main_task(argc > 1 ? std::atoi(argv[1]) : 7000));
}
