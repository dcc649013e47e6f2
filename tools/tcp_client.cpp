// tcp_client PORT: connects to 127.0.0.1, sends its standard input and ends its side, then prints
// what comes back until the server closes, or is silent for ten seconds. So that checking a server
// needs no curl.
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: tcp_client PORT <request >answer\n";
    return 2;
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<in_port_t>(std::atoi(argv[1])));
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  const timeval limit{10, 0};
  setsockopt(server, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (connect(server, reinterpret_cast<sockaddr*>(&address), sizeof address) < 0) {
    std::perror("tcp_client: connect");
    return 1;
  }
  const std::string request{std::istreambuf_iterator<char>(std::cin), {}};
  if (send(server, request.data(), request.size(), MSG_NOSIGNAL) < 0) {
    std::perror("tcp_client: send");
    return 1;
  }
  shutdown(server, SHUT_WR);
  char buffer[65536];
  ssize_t count = 0;
  while ((count = recv(server, buffer, sizeof buffer, 0)) > 0) std::cout.write(buffer, count);
  if (count < 0) {
    std::perror("tcp_client: recv");
    return 1;
  }
}
