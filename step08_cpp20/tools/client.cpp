// A client for the servers, so that you need neither nc nor ab. It has no coroutines: a loop over
// poll(2) runs all its connections.
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

const char* const usage =
    "usage: client PORT           send the standard input and print the response\n"
    "       client PORT many N    do this with N clients at the same time and print a summary\n"
    "       client PORT half      send a request in two parts and print the response\n"
    "       client PORT large     send a request of 200 000 bytes\n"
    "       client PORT silent N  connect N clients that send nothing\n"
    "       client PORT reset N   send half a request from N clients and reset the connections\n";

struct Client {
  pollfd socket;            // its descriptor is -1 after the end of the connection
  std::string_view unsent;  // the rest of the request
  bool ends_its_side;       // whether the server is told that the request has ended
  std::string response = {};
  int error = 0;  // the number of the first error

  bool is_open() const { return socket.fd >= 0; }

  void close() { ::close(std::exchange(socket.fd, -1)); }

  /// Sends as much as is possible without waiting.
  void send() {
    const ssize_t count = ::write(socket.fd, unsent.data(), unsent.size());
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) error = errno;
    unsent.remove_prefix(count < 0 ? unsent.size() : static_cast<std::size_t>(count));
    if (!unsent.empty()) return;
    socket.events = POLLIN;
    if (ends_its_side) ::shutdown(socket.fd, SHUT_WR);
  }

  /// Receives what has arrived, also after an error.
  void receive() {
    char buffer[65536];
    const ssize_t count = ::recv(socket.fd, buffer, sizeof buffer, 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0 && error == 0) error = errno;
    if (count > 0) response.append(buffer, static_cast<std::size_t>(count));
    if (count <= 0) close();
  }

  /// Returns true if the server has sent a whole response and closed the connection.
  bool is_complete() const {
    if (is_open() || error != 0 || response.empty()) return false;
    const std::size_t length = response.find("Content-Length: ");
    if (length == std::string::npos) return true;  // the response isn't HTTP
    const std::size_t body = response.find("\r\n\r\n") + 4;
    return response.size() == body + std::strtoul(&response[length + 16], nullptr, 10);
  }
};

int fail(const std::string& what, int error) {
  std::cerr << "client: " << what << ": " << std::strerror(error) << '\n';
  return 1;
}

/// Begins to connect to 127.0.0.1. If that fails, send() finds the error.
Client connect_to(int port, std::string_view request, bool ends_its_side) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) std::exit(fail("cannot open a socket", errno));
  ::fcntl(fd, F_SETFL, O_NONBLOCK);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<in_port_t>(port));
  ::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address);
  return {{fd, POLLIN | POLLOUT, 0}, request, ends_its_side};
}

/// Runs the clients until all connections have ended, or until nothing has happened for `timeout`
/// milliseconds.
void run(std::vector<Client>& clients, int timeout) {
  while (std::any_of(clients.begin(), clients.end(), std::mem_fn(&Client::is_open))) {
    std::vector<pollfd> sockets;  // poll() ignores those with the descriptor -1
    for (const Client& client : clients) sockets.push_back(client.socket);
    if (::poll(sockets.data(), sockets.size(), timeout) == 0) return;
    for (std::size_t i = 0; i < clients.size(); ++i) {
      if (sockets[i].revents == 0) continue;
      if (clients[i].socket.events & POLLOUT) clients[i].send();
      clients[i].receive();
    }
  }
}

/// Sends the request of every client and resets its connection, without waiting for the response.
void reset(std::vector<Client>& clients) {
  for (Client& client : clients) {
    ::poll(&client.socket, 1, 10000);  // until it is connected
    client.send();
    const linger no_wait{1, 0};
    ::setsockopt(client.socket.fd, SOL_SOCKET, SO_LINGER, &no_wait, sizeof no_wait);
    client.close();
  }
}

int main(int argc, char** argv) {
  const std::map<std::string_view, int> words{{"", 2},      {"many", 4},   {"half", 3},
                                              {"large", 3}, {"silent", 4}, {"reset", 4}};
  const std::string_view mode = argc > 2 ? argv[2] : "";
  const int port = argc > 1 ? std::atoi(argv[1]) : 0, count = argc > 3 ? std::atoi(argv[3]) : 1;
  const auto known = words.find(mode);
  if (known == words.end() || known->second != argc || port < 1 || port > 65535 || count < 1) {
    std::cerr << usage;
    return 2;
  }
  std::signal(SIGPIPE, SIG_IGN);
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);

  const bool reads_input = mode.empty() || mode == "many";
  std::string request;
  if (reads_input) request.assign(std::istreambuf_iterator<char>(std::cin), {});
  if (mode == "half" || mode == "reset") request = "GET / HTTP/1.1\r\n";
  if (mode == "large") request = "GET /" + std::string(199982, 'x') + " HTTP/1.1\r\n\r\n";

  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  std::vector<Client> clients;
  for (int i = 0; i < count; ++i) clients.push_back(connect_to(port, request, reads_input));
  Client& first = clients.front();
  if (mode == "reset") reset(clients);
  run(clients, mode == "silent" ? -1 : mode == "half" ? 500 : 10000);
  if (mode == "half" && first.is_open()) {
    first.unsent = "Host: localhost\r\n\r\n";
    first.socket.events = POLLIN | POLLOUT;
    run(clients, 10000);
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (first.error == ECONNREFUSED)
    return fail("cannot connect to port " + std::to_string(port), first.error);
  if (first.is_open()) first.error = ETIMEDOUT;

  std::cout << std::fixed << std::setprecision(3);
  if (mode == "many") {
    const auto complete =
        std::count_if(clients.begin(), clients.end(), std::mem_fn(&Client::is_complete));
    std::cout << complete << " complete responses, " << count - complete
              << " failed, the slowest after " << seconds << " s\n";
    return complete == count ? 0 : 1;
  }
  if (mode == "silent") {
    std::cout << count << " silent clients, the last connection was closed after " << seconds
              << " s\n";
  } else if (mode == "reset") {
    std::cout << count << " clients have sent half a request and reset the connection\n";
  } else if (mode == "large") {
    std::cout << first.response.size() << " bytes of response, then "
              << (first.error == 0 ? "the end" : std::strerror(first.error)) << '\n';
  } else {
    std::cout << first.response;
    if (first.error != 0) return fail("the response is not complete", first.error);
  }
}
