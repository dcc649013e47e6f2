// Exits with 0 if a server could listen on the port that it is given; see tools/doctor.
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <cstdlib>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(argv[1])));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  const int yes = 1;  // as the servers do: connections that have ended do not count
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  return bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : 1;
}
