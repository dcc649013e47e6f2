#include <exception>
#include <memory>
#include <stdexcept>
#include <utility>

#include "stream.hpp"
#include "uv_event.hpp"

namespace coop {
using namespace detail;

UvHandle<UvStream> detail::make_tcp(uv_loop_t* loop) {
  const auto init = [](uv_loop_t* of, UvStream* handle) { return uv_tcp_init(of, &handle->tcp); };
  return make_handle<UvStream>("cannot make a socket", init, loop);
}

UvHandle<UvStream> detail::make_pipe() {
  const auto init = [](uv_loop_t* loop, UvStream* handle) {
    return uv_pipe_init(loop, &handle->pipe, 0);
  };
  return make_handle<UvStream>("cannot make a pipe", init, UvReactor::current().loop());
}

Coroutine<Stream> connect(Address address, std::source_location where) {
  using Connecting = UvRequest<uv_connect_t, char>;
  UvHandle<UvStream> handle = make_tcp();
  const auto connecting = std::make_shared<Connecting>("cannot connect to " + address.text());
  const int sent = uv_tcp_connect(&connecting->uv, &handle->tcp, address.get(), Connecting::done);
  co_await Sent(connecting, sent, where);
  co_return Stream(std::move(handle));
}

Coroutine<Stream> connect(std::vector<Address> addresses, std::source_location where) {
  std::exception_ptr error;
  for (const Address& address : addresses) {
    try {
      co_return co_await connect(address, where);
    } catch (const UvError&) {
      error = std::current_exception();
    }
  }
  if (!error) throw std::invalid_argument("There is no address to connect to");
  std::rethrow_exception(error);
}

Coroutine<Stream> connect(std::string host, int port, std::source_location where) {
  const std::vector<Address> addresses =
      co_await resolve(std::move(host), std::to_string(port), where);
  co_return co_await connect(addresses, where);
}

}  // namespace coop
