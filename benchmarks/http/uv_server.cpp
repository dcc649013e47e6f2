// A server with libuv and callbacks: `uv_server`, `uv_server keep`.

#include <netinet/in.h>
#include <uv.h>

#include <array>
#include <cstdio>
#include <string>

#include "answer.hpp"

namespace {

bool keep = false;
std::array<char, 65536> buffer;

void freed(uv_handle_t* handle) {
  delete reinterpret_cast<uv_tcp_t*>(handle);
}

void received(uv_stream_t* stream, ssize_t size, const uv_buf_t* data) {
  if (size == 0) return;
  auto* const handle = reinterpret_cast<uv_handle_t*>(stream);
  if (size < 0) return uv_close(handle, freed);
  const std::string request(data->base, static_cast<std::size_t>(size));
  std::string answer = response_to(request, keep);
  const uv_buf_t bytes{answer.data(), answer.size()};
  if (!is_complete(request) || uv_try_write(stream, &bytes, 1) < 0 || !keep)
    uv_close(handle, freed);
}

void allocate(uv_handle_t*, std::size_t, uv_buf_t* bytes) {
  *bytes = uv_buf_init(buffer.data(), buffer.size());
}

void came(uv_stream_t* listener, int status) {
  if (status < 0) return;
  auto* const client = new uv_tcp_t;
  uv_tcp_init(listener->loop, client);
  auto* const stream = reinterpret_cast<uv_stream_t*>(client);
  if (uv_accept(listener, stream) == 0) {
    uv_read_start(stream, allocate, received);
  } else {
    uv_close(reinterpret_cast<uv_handle_t*>(client), freed);
  }
}

}  // namespace

int main(int argc, char**) {
  keep = argc > 1;
  uv_loop_t* const loop = uv_default_loop();
  uv_tcp_t listener;
  uv_tcp_init(loop, &listener);
  sockaddr_in address{};
  uv_ip4_addr("127.0.0.1", 0, &address);
  uv_tcp_bind(&listener, reinterpret_cast<const sockaddr*>(&address), 0);
  uv_listen(reinterpret_cast<uv_stream_t*>(&listener), SOMAXCONN, came);
  int size = sizeof address;
  uv_tcp_getsockname(&listener, reinterpret_cast<sockaddr*>(&address), &size);
  std::printf("Starting server at port %d...\n", ntohs(address.sin_port));
  std::fflush(stdout);
  uv_run(loop, UV_RUN_DEFAULT);
}
