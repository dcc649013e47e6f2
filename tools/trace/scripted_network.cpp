/// A network from a script, for recordings: preloaded, it stands in for the system calls of a
/// server. No packet is sent, and no time passes, so each run is the same.
///
///     2  anna    connects
///     4  anna    sends GET / HTTP/1.1\r\n\r\n
///     5  anna    takes 40 bytes    she takes only so many more; before, all
///     9  anna    leaves            closes her connection
///     9  ben     resets            breaks his: the next read() or write() fails
///     12 kernel  raises SIGTERM
///
/// A tick of the clock, the first number, is 100 ms and a call of poll(). If poll() has to wait,
/// the clock goes on to the next line of the script, or to the end of the timeout. After the last
/// line, a server that waits without a timeout is ended.
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

extern "C" {
/// The time in seconds, and a line for each socket: name|number|state|unread bytes|sent bytes.
char net_state[4096];

/// gdb stops here.
__attribute__((noinline)) void net_event(const char* what) {
  __asm__ volatile("" : : "r"(what) : "memory");
}
}

namespace {

in_port_t port = 0;  // of the listener

struct End {
  std::string name;
  int fd = -1;
  bool listens = false, connected = false, accepted = false, closed = false, gone = false,
       broken = false, failed = false;
  std::string unread;
  long room = 1 << 20, taken = 0;
};

struct Line {
  long at;
  std::string who, what, text;
};

// The program may begin to call before this library has begun, so nothing here has a constructor
// that it waits for.
std::deque<End>& ends() {
  static std::deque<End> all;
  return all;
}
std::deque<Line>& script() {
  static std::deque<Line> all;
  return all;
}
long milliseconds = 0;

/// The function of this name that the program would have called.
template <typename Function>
Function original(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

End* find(int fd) {
  for (End& end : ends())
    if (end.fd == fd && !end.closed) return &end;
  return nullptr;
}

End& named(const std::string& name) {
  for (End& end : ends())
    if (end.name == name) return end;
  ends().push_back({});
  ends().back().name = name;
  return ends().back();
}

/// A new descriptor, which nothing else has.
int new_fd() {
  return original<int (*)(const char*, int, ...)>("open")("/dev/null", O_RDONLY);
}

void show() {
  std::string text = std::to_string(milliseconds / 1000.0).substr(0, 4) + '\n';
  for (const End& end : ends()) {
    if (!end.listens && !end.connected) continue;
    const char* state = end.closed     ? "closed"
                        : end.listens  ? "listens"
                        : end.broken   ? "reset"
                        : end.gone     ? "gone"
                        : end.accepted ? "open"
                                       : "waits";
    text += end.name + '|' + std::to_string(end.fd) + '|' + state + '|' +
            std::to_string(end.unread.size()) + '|' + std::to_string(end.taken) + '\n';
  }
  std::snprintf(net_state, sizeof net_state, "%s", text.c_str());
}

void happens(const Line& line) {
  End& end = named(line.what == "raises" ? "signals" : line.who);
  if (line.what == "connects") end.connected = true;
  if (line.what == "sends") end.unread += line.text;
  if (line.what == "takes") end.room = std::stol(line.text);
  if (line.what == "leaves") end.gone = true;
  if (line.what == "resets") end.gone = end.broken = true;
  if (line.what == "raises") end.unread = '\0';  // which the signal handler would write
  show();
  net_event((line.who + ' ' + line.what + ' ' + line.text).c_str());
}

void let_happen() {
  while (!script().empty() && script().front().at * 100 <= milliseconds) {
    const Line line = script().front();
    script().pop_front();
    happens(line);
  }
}

short ready(const End& end, short events) {
  if (end.broken) return static_cast<short>((events & (POLLIN | POLLOUT)) | POLLERR | POLLHUP);
  short found = 0;
  if (end.listens) {
    for (const End& other : ends())
      if (other.connected && !other.accepted) found = POLLIN;
  } else {
    if (!end.unread.empty() || end.gone) found |= POLLIN;
    if (end.room > 0) found |= POLLOUT;
  }
  return static_cast<short>(found & events);
}

__attribute__((constructor)) void load() {
  std::ifstream file(std::getenv("NETWORK"));
  for (std::string text; std::getline(file, text);) {
    Line line;
    if (!(std::istringstream(text) >> line.at >> line.who >> line.what)) continue;
    const std::size_t at = text.find(line.what) + line.what.size() + 1;
    for (std::size_t i = at; i < text.size(); ++i) {
      const bool escaped = text[i] == '\\' && i + 1 < text.size();
      if (escaped) ++i;
      line.text += escaped && text[i] == 'r' ? '\r' : escaped && text[i] == 'n' ? '\n' : text[i];
    }
    script().push_back(line);
  }
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) {
  if (clock != CLOCK_MONOTONIC)
    return original<int (*)(clockid_t, timespec*)>("clock_gettime")(clock, time);
  *time = {1000 + milliseconds / 1000, milliseconds % 1000 * 1000000};
  return 0;
}

int poll(pollfd* sockets, nfds_t count, int timeout) {
  if (count == 1 && !find(sockets->fd)) return sockets->revents = sockets->events, 1;  // stdout
  const long end = milliseconds + std::max(timeout, 100);
  milliseconds += 100;
  while (true) {
    let_happen();
    int found = 0;
    for (nfds_t i = 0; i < count; ++i) {
      const End* const socket = find(sockets[i].fd);
      sockets[i].revents = socket ? ready(*socket, sockets[i].events) : short(0);
      found += sockets[i].revents != 0;
    }
    show();
    if (found != 0 || timeout == 0 || (timeout > 0 && milliseconds >= end)) return found;
    if (timeout < 0 && script().empty()) {
      net_event("the script ends, and the server still waits");
      _exit(0);
    }
    const long next = script().empty() ? end : script().front().at * 100;
    milliseconds = timeout < 0 ? next : std::min(next, end);
    show();
    if (timeout > 0 && milliseconds == end) net_event("time passes");
  }
}

int socket(int, int, int) {
  return named("listener").fd = new_fd();
}
int setsockopt(int, int, int, const void*, socklen_t) {
  return 0;
}
int bind(int, const sockaddr* address, socklen_t) {
  port = reinterpret_cast<const sockaddr_in*>(address)->sin_port;
  return 0;
}
int listen(int fd, int) {
  find(fd)->listens = true;
  show();
  return 0;
}
int getsockname(int, sockaddr* address, socklen_t*) {
  reinterpret_cast<sockaddr_in*>(address)->sin_port = port;
  return 0;
}
int pipe(int* ends) {
  End& end = named("signals");
  end.connected = end.accepted = true;
  ends[0] = end.fd = new_fd();
  ends[1] = new_fd();
  return 0;
}

int accept(int, sockaddr*, socklen_t*) {
  for (End& end : ends()) {
    if (!end.connected || end.accepted) continue;
    end.accepted = true;
    end.fd = new_fd();
    show();
    return end.fd;
  }
  errno = EAGAIN;
  return -1;
}

ssize_t read(int fd, void* to, size_t size) {
  End* const end = find(fd);
  if (!end) return original<ssize_t (*)(int, void*, size_t)>("read")(fd, to, size);
  const bool fails = end->broken && !std::exchange(end->failed, true);
  if (fails || (end->unread.empty() && !end->gone)) {
    errno = fails ? ECONNRESET : EAGAIN;
    return -1;
  }
  size = std::min(size, end->unread.size());
  std::memcpy(to, end->unread.data(), size);
  end->unread.erase(0, size);
  show();
  return static_cast<ssize_t>(size);
}

ssize_t write(int fd, const void* from, size_t size) {
  End* const end = find(fd);
  if (!end) return original<ssize_t (*)(int, const void*, size_t)>("write")(fd, from, size);
  if (end->broken || end->room <= 0) {
    errno = !end->broken ? EAGAIN : std::exchange(end->failed, true) ? EPIPE : ECONNRESET;
    return -1;
  }
  const long taken = std::min(static_cast<long>(size), end->room);
  end->room -= taken;
  end->taken += taken;
  show();
  return taken;
}

int shutdown(int, int) {
  return 0;
}

int close(int fd) {
  if (End* const end = find(fd)) {
    end->closed = true;
    show();
  }
  return original<int (*)(int)>("close")(fd);
}

}  // extern "C"
