#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "coop/uv/watch.hpp"

using namespace coop;

/// A folder of our own, gone with this object.
class Folder {
 public:
  Folder() {
    if (!::mkdtemp(name_.data())) {
      throw UvError(uv_translate_sys_error(errno), "cannot make a folder here");
    }
  }
  Folder(const Folder&) = delete;
  ~Folder() {
    try {
      std::filesystem::remove_all(name_);
    } catch (const std::exception&) {  // then it stays
    }
  }

  const std::string& name() const { return name_; }

 private:
  std::string name_ = "watched_XXXXXX";
};

/// Without the file there is no change to wait for.
void check_writable(const std::ofstream& file, const std::string& name) {
  if (!file) throw UvError(uv_translate_sys_error(errno), "cannot write " + name);
}

/// Says what has happened. Whether a file has come or gone, a change does not say; one has to look.
Coroutine<> report(Watch* watch, std::string folder) {
  const Change change = co_await watch->next();
  std::cout << change.name;
  if (!change.renamed) {
    std::cout << " was written to.\n";
  } else if (std::filesystem::exists(folder + "/" + change.name)) {
    std::cout << " has come.\n";
  } else {
    std::cout << " has gone.\n";
  }
}

Coroutine<> program() {
  const Folder folder;
  Watch watch(folder.name());
  const std::string file = folder.name() + "/notes.txt";

  std::ofstream notes(file);
  check_writable(notes, file);
  co_await report(&watch, folder.name());
  notes << "Something to remember.\n" << std::flush;
  check_writable(notes, file);
  co_await report(&watch, folder.name());
  notes.close();
  std::filesystem::remove(file);
  co_await report(&watch, folder.name());
}

int main() {
  try {
    UvReactor reactor;
    Scheduler scheduler(reactor);
    scheduler.run(program());
  } catch (const UvError& e) {
    std::cerr << "watch_folder: " << e.what() << '\n';
    return 1;
  }
}
