# shellcheck shell=sh
# What this project needs from the system, and how to get it. Sourced by ./learn.

has() { command -v "$1" >/dev/null 2>&1; }

compiler() {
  for name in "${CXX:-}" c++ g++ clang++; do
    if [ -n "$name" ] && has "$name"; then
      echo "$name"
      return
    fi
  done
}

has_cmake() {
  has cmake && cmake --version |
    awk '/version/ { split($3, v, "."); exit !(v[1] > 3 || (v[1] == 3 && v[2] >= 25)) }'
}

has_catch2() {
  printf '%s\n' '#if !__has_include(<catch2/catch_all.hpp>) && !__has_include(<catch2/catch.hpp>)' \
    '#error' '#endif' | "$(compiler)" -std=c++17 -fsyntax-only -x c++ - 2>/dev/null
}

has_libuv() {
  printf '#include <uv.h>\n' | "$(compiler)" -fsyntax-only -x c++ - 2>/dev/null
}

# The packages that are missing, by their Debian names.
missing_packages() {
  set --
  [ -n "$(compiler)" ] || set -- g++
  has make || set -- "$@" make
  has_cmake || set -- "$@" cmake
  if [ -z "$(compiler)" ] || ! has_catch2; then set -- "$@" catch2; fi
  if [ -z "$(compiler)" ] || ! has_libuv; then set -- "$@" libuv1-dev; fi
  has pkg-config || set -- "$@" pkg-config
  has patch || set -- "$@" patch
  echo "$*"
}

has_theme() {
  [ -e /usr/share/doxygen-awesome-css/doxygen-awesome.css ] ||
    [ -e /usr/local/share/doxygen-awesome-css/doxygen-awesome.css ]
}

# The same for ./learn docs.
missing_docs_packages() {
  set --
  has doxygen || set -- "$@" doxygen
  has dot || set -- "$@" graphviz
  has_theme || set -- "$@" doxygen-awesome-css
  echo "$*"
}

has_benchmark() {
  printf '#include <benchmark/benchmark.h>\n' | "$(compiler)" -std=c++17 -fsyntax-only -x c++ - 2>/dev/null
}

# The same for ./learn bench. What its peers need is not asked for: it skips them, and says so.
missing_bench_packages() {
  set --
  has_benchmark || set -- "$@" libbenchmark-dev
  has jq || set -- "$@" jq
  has gnuplot || set -- "$@" gnuplot-nox
  echo "$*"
}

install_command() {
  if [ "$(id -u)" -eq 0 ]; then
    echo "apt-get install -y $1"
  else
    echo "sudo apt-get install -y $1"
  fi
}

other_systems() {
  cat <<'TEXT'
  Fedora:  sudo dnf install gcc-c++ make cmake catch-devel libuv-devel pkgconf-pkg-config patch
  Arch:    sudo pacman -S --needed gcc make cmake catch2 libuv pkgconf patch
  macOS:   xcode-select --install; brew install cmake catch2   (enough for steps 1 to 4)
TEXT
}

other_systems_docs() {
  cat <<'TEXT'
  Fedora:  sudo dnf install doxygen graphviz
  Arch:    sudo pacman -S --needed doxygen graphviz
  macOS:   brew install doxygen graphviz
  and the theme, in /usr/local/share/doxygen-awesome-css:
  git clone -b v2.1.0 https://github.com/jothepro/doxygen-awesome-css && sudo make -C doxygen-awesome-css install
TEXT
}

other_systems_bench() {
  cat <<'TEXT'
  Fedora:  sudo dnf install google-benchmark-devel jq gnuplot
  Arch:    sudo pacman -S --needed benchmark jq gnuplot
  macOS:   brew install google-benchmark jq gnuplot
TEXT
}

# Installs what is missing, after asking. $1 is "yes" to go ahead without a question, $2 is "docs" if
# it is about the site, "bench" if about benchmarks.
ensure_packages() {
  packages=$("missing_${2:+$2_}packages")
  [ -n "$packages" ] || return 0
  echo "Building needs these packages, which are not here yet: $packages"
  if ! has apt-get; then
    echo "Install them, then run ./learn again. Lines for other systems, which we have not tried:"
    "other_systems${2:+_$2}"
    return 2
  fi
  echo "  $(install_command "$packages")"
  if [ "$1" != yes ] && [ -t 0 ]; then
    printf 'Shall I do that now? [Y/n] '
    read -r answer || answer=n
    case $answer in
    [Nn]*) return 2 ;;
    esac
  elif [ "$1" != yes ] && [ "$(id -u)" -ne 0 ]; then
    echo "Run that, or ./learn --yes, and come back."
    return 2
  fi
  install_packages "$packages"
}

install_packages() {
  sudo=
  if [ "$(id -u)" -ne 0 ]; then
    sudo=sudo
    if ! has sudo || ! sudo -v; then
      echo "This needs root: ask whoever manages this machine to run: apt-get install -y $1" >&2
      return 2
    fi
  fi
  mkdir -p build
  echo "Installing, which takes about half a minute (log: build/install.log) ..."
  # shellcheck disable=SC2086 # the packages are words of their own
  if { $sudo apt-get update && $sudo env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends $1; } >build/install.log 2>&1 </dev/null; then
    return 0
  fi
  tail -n 5 build/install.log >&2
  echo "The installation failed; all of it is in build/install.log." >&2
  return 2
}
