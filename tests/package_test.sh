#!/bin/sh
# A program of another project uses the library of step 9 in each of three ways: from a subdirectory, installed with
# CMake, and installed with pkg-config. Installed, it is a static or a shared library. In a subdirectory, it is installed
# only on request.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
command -v pkg-config >/dev/null || skip_all "the library as a package, because pkg-config is not installed"

mkdir "$scratch/mine" && cd "$scratch/mine" || exit 2
cat >mine.cpp <<'END'
#include <coop/coop.hpp>
#include <iostream>

static_assert(COOP_VERSION >= 900);

coop::Coroutine<> hello() {
  coop::Listener listener(coop::Address("127.0.0.1", 0));
  const coop::Handle<void> nap = coop::spawn(coop::sleep(std::chrono::milliseconds(1)));
  co_await coop::with_timeout(std::chrono::hours(1), nap);
  std::cout << "hello from a stranger" << std::endl;
}

int main() { coop::run(hello()); }
END

# The library is compiled once, for all of these: with ccache, the other builds find what the first one has made.
once='-DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=12'
export CCACHE_BASEDIR="$scratch" CXXFLAGS="${CXXFLAGS-} -Wno-subobject-linkage"

# builds WAY LINE: the project finds the library by this line, links it, and its program runs.
builds() {
  printf 'cmake_minimum_required(VERSION 3.21)\nproject(mine LANGUAGES CXX)\n%s\n' "$2" >CMakeLists.txt
  printf 'add_executable(mine mine.cpp)\ntarget_link_libraries(mine PRIVATE coop::coop)\n' >>CMakeLists.txt
  # shellcheck disable=SC2086 # words
  expect 0 cmake -S . -B "$1" "-DCMAKE_PREFIX_PATH=$scratch/$1" $once
  expect 0 cmake --build "$1" -j 2
  expect 0 "$1/mine"
  prints "hello from a stranger"
}

cp -r "$root/step09_reactor" "$scratch/source"
builds subdirectory "add_subdirectory($scratch/source coop)"
expect 0 cmake --build subdirectory --target help
! grep -q 'step09\|hello' "$scratch/out" || complain "the subdirectory brings more than the library"
expect 0 cmake --install subdirectory --prefix "$scratch/without"
[ ! -e "$scratch/without" ] || complain "the subdirectory is installed with the project that has it"
expect 0 cmake -DCOOP_INSTALL=ON subdirectory
expect 0 cmake --install subdirectory --prefix "$scratch/with"
[ -f "$scratch/with/include/coop/coop.hpp" ] || complain "the subdirectory isn't installed on request"
rm -r "$scratch/source"

# installs KIND OPTION: the library, into $scratch/KIND, with a compiler that lacks the header of AddressSanitizer. Its
# sources are not there when a program is built.
installs() {
  cp -r "$root/step09_reactor" "$scratch/source"
  sed -i 's:<sanitizer/:<not_there/:' "$scratch/source/coop/core/frame_pool.cpp"
  # shellcheck disable=SC2086 # words
  expect 0 cmake -S "$scratch/source" -B build -DCOOP_PROGRAMS=OFF -DCMAKE_INSTALL_PREFIX=/nowhere $once "$2"
  expect 0 cmake --build build -j 2
  expect 0 cmake --install build --prefix "$scratch/$1"
  rm -r "$scratch/source" build
  cmp "$root/LICENSE" "$scratch/$1/share/licenses/coop/LICENSE" || complain "$1: not installed with the licence"
}

for kind in static shared; do
  installs $kind "-DBUILD_SHARED_LIBS=$([ $kind = static ] || echo ON)"
  builds $kind "find_package(coop 0.9 REQUIRED)"
  pc=$(find "$scratch/$kind" -name coop.pc)
  LD_LIBRARY_PATH=${pc%/pkgconfig/coop.pc}
  PKG_CONFIG_PATH=${pc%/coop.pc}
  export LD_LIBRARY_PATH PKG_CONFIG_PATH
  expect 0 pkg-config --print-errors --cflags --libs coop
  # shellcheck disable=SC2046 # words
  expect 0 "${CXX:-g++}" -std=c++20 mine.cpp $(pkg-config --cflags --libs coop) -o mine
  expect 0 ./mine
  prints "hello from a stranger"
done
# One header brings all that a program includes.
# shellcheck disable=SC2046 # words
expect 0 "${CXX:-g++}" -std=c++20 -MM $(pkg-config --cflags coop) mine.cpp
(cd "$scratch/shared/include" && echo coop/*.hpp coop/uv/*.hpp | tr ' ' '\n') >headers
while read -r header; do prints "/${header##*/}"; done <headers
expect 0 env LD_TRACE_LOADED_OBJECTS=1 ./mine
prints "libcoop.so.0.9 => $scratch/shared"

# The command of gdb prints the callers of the coroutine that runs, and those of a task.
has_gdb || skip_all "the command of gdb, because gdb is not installed, or can't run a program here"
# shellcheck disable=SC2046 # words
expect 0 "${CXX:-g++}" -g -O0 -std=c++20 mine.cpp $(pkg-config --cflags --libs coop) -o mine
expect 0 gdb -nx -batch -x "$scratch/shared/share/coop/coop.gdb" -ex 'break mine.cpp:9' -ex run \
  -ex coop-callers -ex 'coop-callers *nap.task_' mine
prints 'hello()' 'coop::Scheduler::keep_result<void>' 'coop::sleep('
[ "$(grep -c ' in section ' "$scratch/out")" -eq 3 ] || complain "coop-callers prints other coroutines, too"
finish
