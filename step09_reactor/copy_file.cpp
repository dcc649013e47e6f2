#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "coop/scheduler.hpp"
#include "coop/uv/file.hpp"
#include "coop/uv/uv_error.hpp"
#include "coop/uv/uv_reactor.hpp"

using namespace coop;

/// Whatever they are: files, pipes, terminals, connections.
Coroutine<> copy(Io* from, Io* to) {
  while (true) {
    const std::string piece = co_await from->read();
    if (piece.empty()) co_return;
    co_await to->write(piece);
  }
}

Coroutine<> copy_file(std::string from, std::string to) {
  std::error_code none_there;
  if (std::filesystem::equivalent(from, to, none_there)) {
    throw UvError(UV_EINVAL, from + " and " + to + " are the same file");
  }
  const std::unique_ptr<File> source = co_await open_file(from);
  const std::unique_ptr<File> target = co_await open_file(to, O_WRONLY | O_CREAT | O_TRUNC);
  co_await copy(source.get(), target.get());
}

Coroutine<> copy_standard_input() {
  const std::unique_ptr<Io> source = open_descriptor(0);
  const std::unique_ptr<Io> target = open_descriptor(1);
  co_await copy(source.get(), target.get());
}

int main(int argc, char** argv) {
  if (argc != 1 && (argc != 3 || argv[1][0] == '-')) {
    std::cerr << "usage: copy_file [FROM TO]\n";
    return 2;
  }
  try {
    UvReactor reactor;
    Scheduler scheduler(reactor);
    scheduler.run(argc == 1 ? copy_standard_input() : copy_file(argv[1], argv[2]));
  } catch (const UvError& e) {
    std::cerr << "copy_file: " << e.what() << '\n';
    return 1;
  }
}
