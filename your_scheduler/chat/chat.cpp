// Our chat server on the headers of step 6 or 7. Its protocol is in your_scheduler/chat/README.md.
#include <sys/socket.h>
#include <unistd.h>

#include <any>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "co_socket.hpp"
#include "command_line.hpp"
#include "process.hpp"

/// What the chat knows about a client. Its reader and its writer share it.
struct Guest {
  explicit Guest(Socket its_socket) : socket(std::move(its_socket)) {}

  Socket socket;
  std::string name, room = "lobby";
  std::string unsent;          // what the writer still has to write
  bool is_leaving = false;     // the writer ends when all is written
  TaskId sleeping_writer = 0;  // the task to wake when there is something to write, or 0
};

/// All clients, and what they say. A client without a name is in no room. No function waits.
class Chat {
 public:
  explicit Chat(Scheduler& scheduler) : scheduler_(scheduler) {}

  void add(const std::shared_ptr<Guest>& guest) { guests_.push_back(guest); }

  /// Does what a line of a client says. Returns false if it was the last one.
  bool handle(Guest& guest, const std::string& line) {
    if (guest.name.empty()) {
      give_name(guest, line);
    } else if (line == "/quit") {
      return false;
    } else if (line.rfind("/nick ", 0) == 0) {
      give_name(guest, line.substr(6));
    } else if (line.rfind("/join ", 0) == 0) {
      tell_others(guest, "* " + guest.name + " has left");
      guest.room = line.substr(6);
      tell(guest, "* you are in " + guest.room);
      tell_others(guest, "* " + guest.name + " has joined");
    } else {
      tell_others(guest, guest.name + ": " + line);
    }
    return true;
  }

  void leave(const std::shared_ptr<Guest>& guest) {
    guests_.remove(guest);
    if (!guest->name.empty()) tell_others(*guest, "* " + guest->name + " has left");
    guest->is_leaving = true;
    wake_writer(*guest);
  }

  /// Tells all clients that the server ends, as much as their sockets take without waiting, and
  /// ignores errors. Then each reader reads the end of file, and its client leaves.
  void end() {
    for (const std::shared_ptr<Guest>& guest : guests_) {
      const std::string last = std::exchange(guest->unsent, "") + "* the server ends\n";
      ::send(guest->socket.fd(), last.data(), last.size(), 0);
      ::shutdown(guest->socket.fd(), SHUT_RDWR);
    }
  }

 private:
  static constexpr std::size_t most_unsent = 1 << 20;

  void give_name(Guest& guest, const std::string& name) {
    if (is_taken(name)) return tell(guest, "! " + name + " is taken");
    const std::string old = std::exchange(guest.name, name);
    if (old.empty()) {
      tell(guest, "* welcome, " + name);
      tell_others(guest, "* " + name + " has joined");
    } else {
      tell(guest, "* " + old + " is now " + name);
      tell_others(guest, "* " + old + " is now " + name);
    }
  }

  bool is_taken(const std::string& name) const {
    for (const std::shared_ptr<Guest>& guest : guests_)
      if (guest->name == name) return true;
    return name.empty();
  }

  void tell_others(const Guest& from, const std::string& line) {
    for (const std::shared_ptr<Guest>& guest : guests_)
      if (guest.get() != &from && !guest->name.empty() && guest->room == from.room)
        tell(*guest, line);
  }

  void tell(Guest& guest, const std::string& line) {
    if (guest.unsent.size() + line.size() > most_unsent) {
      ::shutdown(guest.socket.fd(), SHUT_RDWR);  // wakes its reader, which then leaves
      return;
    }
    guest.unsent += line + '\n';
    wake_writer(guest);
  }

  void wake_writer(Guest& guest) { scheduler_.schedule(std::exchange(guest.sleeping_writer, 0)); }

  Scheduler& scheduler_;
  std::list<std::shared_ptr<Guest>> guests_;
};

/// Writes what the chat has for a client, and sleeps while there is nothing.
class Writer final : public Coroutine {
 public:
  explicit Writer(std::shared_ptr<Guest> guest) : guest_(std::move(guest)) {}

 private:
  enum class State { start, woken, writable };
  State state_ = State::start;
  std::shared_ptr<Guest> guest_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      while (!guest_->unsent.empty() || !guest_->is_leaving) {
        if (guest_->unsent.empty()) {
          state_ = State::woken;
          return sleep();  // yield sleep()
        case State::woken:
          continue;
        }
        state_ = State::writable;
        return wait_for_write(guest_->socket);  // yield wait_for_write(socket)
      case State::writable:
        guest_->unsent.erase(0, guest_->socket.write(guest_->unsent).value_or(0));
      }
    }
    return std::nullopt;
  }

  SystemCall sleep() const {
    return [guest = guest_](TaskId asker, Scheduler&) { guest->sleeping_writer = asker; };
  }
};

/// Reads the lines of a client, until it leaves.
class Reader final : public Coroutine {
 public:
  Reader(std::shared_ptr<Chat> chat, std::shared_ptr<Guest> guest)
      : chat_(std::move(chat)), guest_(std::move(guest)) {}

  /// However this task ends, at the end of file or by an error, the client has left.
  ~Reader() override { chat_->leave(guest_); }

 private:
  enum class State { start, got_data };
  State state_ = State::start;
  std::shared_ptr<Chat> chat_;
  std::shared_ptr<Guest> guest_;
  std::string data_, lines_;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      do {
        state_ = State::got_data;
        return CoSocket(guest_->socket).read(4096);  // data = yield socket.read(4096)
      case State::got_data:
        data_ = std::any_cast<std::string>(sent);
        lines_ += data_;
      } while (!data_.empty() && handle_lines());
    }
    return std::nullopt;
  }

  /// Handles all lines that are complete. Returns false after the last line, or if one is too long.
  bool handle_lines() {
    std::size_t end;
    while ((end = lines_.find('\n')) != std::string::npos) {
      std::string line;  // without control characters, which would reach the terminals of others
      for (const char c : lines_.substr(0, end))
        if (!std::iscntrl(static_cast<unsigned char>(c))) line += c;
      lines_.erase(0, end + 1);
      if (!chat_->handle(*guest_, line)) return false;
    }
    return lines_.size() <= 4096;
  }
};

/// Starts a reader and a writer for every client.
class Door final : public Coroutine {
 public:
  Door(std::shared_ptr<Chat> chat, Socket listener)
      : chat_(std::move(chat)), listener_(std::move(listener)) {}

 private:
  enum class State { start, readable, opened };
  State state_ = State::start;
  std::shared_ptr<Chat> chat_;
  Socket listener_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      while (true) {
        state_ = State::readable;
        return wait_for_read(listener_);  // yield wait_for_read(listener)
      case State::readable:
        state_ = State::opened;
        return open();  // yield open()
      case State::opened:;
      }
    }
    return std::nullopt;  // never reached
  }

  /// Lets in all clients that wait.
  SystemCall open() {
    return [this](TaskId asker, Scheduler& scheduler) {
      while (std::optional<Socket> client = listener_.accept()) {
        const auto guest = std::make_shared<Guest>(std::move(*client));
        chat_->add(guest);
        scheduler.new_task(std::make_shared<Reader>(chat_, guest));
        scheduler.new_task(std::make_shared<Writer>(guest));
      }
      scheduler.schedule(asker);
    };
  }
};

/// Waits for Ctrl-C. Then it closes the door, and each client leaves.
class Closing final : public Coroutine {
 public:
  Closing(std::shared_ptr<Chat> chat, Socket signals, TaskId door)
      : chat_(std::move(chat)), signals_(std::move(signals)), door_(door) {}

 private:
  enum class State { start, got_signal, killed_door };
  State state_ = State::start;
  std::shared_ptr<Chat> chat_;
  Socket signals_;
  TaskId door_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      state_ = State::got_signal;
      return wait_for_read(signals_);  // yield wait_for_read(signals)
    case State::got_signal:
      state_ = State::killed_door;
      return kill_task(door_);  // yield kill_task(door)
    case State::killed_door:
      chat_->end();
    }
    return std::nullopt;
  }
};

int stop_pipe[2];

void on_stop_signal(int) {
  const int error = errno;
  if (::write(stop_pipe[1], "", 1) < 0) errno = error;
}

/// Returns a pipe that becomes readable when the process receives SIGINT or SIGTERM.
Socket open_stop_signals() {
  open_closed_streams();  // else the pipe gets their numbers
  if (::pipe(stop_pipe) < 0) std::exit(1);
  for (const int number : {SIGINT, SIGTERM}) std::signal(number, on_stop_signal);
  return Socket(stop_pipe[0]);
}

int main(int argc, char** argv) {
  const Socket signals = open_stop_signals();
  Scheduler scheduler;
  const auto chat = std::make_shared<Chat>(scheduler);
  const TaskId door =
      scheduler.new_task(std::make_shared<Door>(chat, start_listening(argc, argv, 7000)));
  scheduler.new_task(std::make_shared<Closing>(chat, signals, door));
  scheduler.run();
}
