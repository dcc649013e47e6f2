# shellcheck shell=sh
# Finds out what this machine lacks, and installs it. Sourced by ./learn and other tools.

# Where the Chinese tables are, if the reader's locale is Chinese. Other commands get it, too, since some set LC_ALL to C.
case ${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} in zh*) LEARN_CHINESE=$(pwd)/tools && export LEARN_CHINESE ;; esac

# say FORMAT [WORD...]: prints a line like printf; in a Chinese locale in Chinese, if tools/zh_messages.tsv has the format.
say() (
  format=$1
  shift
  [ -z "${LEARN_CHINESE-}" ] ||
    format=$(FORMAT=$format awk -F '\t' '$1 "" == ENVIRON["FORMAT"] { print (found = $2); exit }
      END { if (!found) print ENVIRON["FORMAT"] }' "$LEARN_CHINESE"/zh_messages.tsv "$LEARN_CHINESE"/zh.tsv)
  # shellcheck disable=SC2059 # it is a format
  printf -- "$format\n" "$@"
)

# die FORMAT [WORD...]: ends the command with a message.
die() {
  echo "learn: $(say "$@")" >&2
  exit 2
}

has() { command -v "$1" >/dev/null 2>&1; }

# in_language PAGE: the page, or its Chinese twin if there is one and the reader's locale is Chinese.
in_language() {
  [ -z "${LEARN_CHINESE-}" ] || [ ! -f "${1%.*}.zh.${1##*.}" ] || set -- "${1%.*}.zh.${1##*.}"
  echo "$1"
}

compiler() {
  for name in "${CXX:-}" c++ g++ clang++; do
    if [ -n "$name" ] && has "$name"; then
      echo "$name"
      return
    fi
  done
}

# The version of CMake, if it is older than 3.21.
old_cmake() { cmake --version 2>/dev/null | awk '/version/ { split($3, v, "."); if (v[1] * 100 + v[2] < 321) print $3 }'; }

# An older CMake isn't replaced. None builds a project below a folder with such a name.
check_cmake() {
  [ -z "$(old_cmake)" ] || die 'CMake 3.21 or newer is needed, and this machine has %s: %s' "$(old_cmake)" "$(command -v cmake)"
  case $(pwd) in *[\;\"\\\#]*) die "CMake can't build in a folder whose name has %s" '; " \ or #' ;; esac
}

# has_header HEADER...: does the compiler find one of these headers?
has_header() {
  [ -n "$(compiler)" ] &&
    { printf '#if 0\n' && printf '#elif __has_include(<%s>)\n' "$@" && printf '#else\n#error\n#endif\n'; } |
    "$(compiler)" -std=c++17 -fsyntax-only -x c++ - 2>/dev/null
}

# Is this here? The words are those of the first column of tools/packages.
has_need() {
  case $1 in
  compiler) has "${CXX:-$(compiler)}" ;;
  catch2) has_header catch2/catch_all.hpp catch2/catch.hpp ;;
  libuv) has_header uv.h ;;
  jinja2 | pygments | markdown_it) /usr/bin/python3 -c "import $1" 2>/dev/null ;; # the system's Python
  benchmark) has_header benchmark/benchmark.h ;;
  *) has "$1" ;;
  esac
}

# What is needed to build everything and to run its tests.
# shellcheck disable=SC2034 # for what sources this
all_needs='compiler make cmake catch2 libuv pkg-config patch'

# missing_packages NEED...: the Debian names of the packages that are missing.
missing_packages() {
  for need; do
    has_need "$need" || debian_package "$need"
  done | xargs
}
debian_package() { awk -v need="$1" '$1 == need { print $2 }' tools/packages; }
play_needs='jinja2 pygments markdown_it'
site_needs="$play_needs esbuild"
docs_needs="doxygen gdb $site_needs"
bench_needs='benchmark jq'
# shellcheck disable=SC2086 # a word for each need
missing_site_packages() { missing_packages $site_needs; }
# shellcheck disable=SC2086 # a word for each need
missing_docs_packages() { missing_packages $docs_needs; }
# shellcheck disable=SC2086 # a word for each need
missing_bench_packages() { missing_packages $bench_needs; }

install_command() { echo "$([ "$(id -u)" -eq 0 ] || echo 'sudo ')apt-get install -y $1"; }

# other_systems NEED...: how other systems install this.
other_systems() {
  awk -v needs=" $* " '
    !/^#/ && index(needs, " " $1 " ") { for (i = 3; i <= 5; i++) if ($i != "-") names[i] = names[i] " " $i }
    END {
      if (names[3]) print "  Fedora:  sudo dnf install" names[3]
      if (names[4]) print "  Arch:    sudo pacman -S --needed" names[4]
      xcode = needs ~ / (compiler|make|patch) / ? "xcode-select --install" : ""
      brew = names[5] ? "brew install" names[5] : ""
      if (xcode brew) print "  macOS:   " xcode (xcode && brew ? "; " : "") brew
    }' tools/packages | fold -s -w 68 | sed '/ $/s/$/\\/; /^  /!s/^/           /' # longer lines end with a backslash
}

# ensure_packages YES NEED...: installs what is missing, after asking. YES is "yes" to install without a question.
ensure_packages() {
  [ "${CXX:-g++}" = g++ ] || has "$CXX" || # g++ can be installed
    die "CXX is '%s', but there is no such command; unset CXX, or name a compiler" "$CXX"
  consent=$1
  shift
  case " $* " in *' cmake '*) check_cmake ;; esac
  packages=$(missing_packages "$@")
  [ -n "$packages" ] || return 0
  say 'This needs packages that are not installed yet: %s' "$packages" >&2
  if ! has apt-get; then
    say 'Install them, and run ./learn again. On other systems (not tested):' >&2
    other_systems "$@" >&2
    return 2
  fi
  seconds=20
  case " $packages " in *' g++ '*) seconds=60 ;; esac
  echo "  $(install_command "$packages")" >&2
  say 'This takes about %s seconds with a fast network.' $seconds >&2
  if [ "$consent" != yes ] && [ -t 0 ]; then
    printf '%s ' "$(say 'Install them now? [Y/n]')" >&2
    read -r answer || answer=n
    case $answer in [Nn]* | 不* | 否*) return 2 ;; esac
  elif [ "$consent" != yes ]; then
    say 'Run that line, or give ./learn the option --yes.' >&2
    return 2
  fi
  install_packages "$packages"
  [ -n "$(missing_packages "$@")" ] || return 0
  ! disk_is_full || die 'the disk is full; all programs and their tests take 1500 MB'
  die 'the installation has succeeded, but %s cannot be used' "$(missing_packages "$@")"
}

# need NEED...: the same for a command, which can't go on without.
need() { ensure_packages "${LEARN_YES:-no}" "$@" || exit 2; }

install_packages() {
  sudo=
  if [ "$(id -u)" -ne 0 ]; then
    sudo=sudo
    { has sudo && { sudo -n true 2>/dev/null || sudo -v; }; } ||
      die 'this needs root; ask an administrator to run: apt-get install -y %s' "$1"
  fi
  mkdir -p build 2>/dev/null || die '%s cannot be written to' "$(pwd)/build"
  say 'Installing (log: build/install.log) ...' >&2
  # shellcheck disable=SC2086 # the packages are words of their own
  { $sudo apt-get update && $sudo env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends $1; } >build/install.log 2>&1 </dev/null || {
    tail -n 5 build/install.log >&2
    die 'the installation has failed; all of its output is in build/install.log'
  }
}

# No compiler can work with less than 20 MB.
disk_is_full() { [ "$(df -Pk . | awk 'NR == 2 { print $4 }')" -lt 20000 ]; }

# no_space FOLDER: says why nothing can be written there.
no_space() {
  ! disk_is_full || die 'the disk is full; all programs and their tests take 1500 MB'
  die '%s cannot be written to; copy this folder to a place of your own' "$(pwd)/$1"
}

# step_title STEP_FOLDER: the title of its chapter in tools/steps.
step_title() {
  set -- "${1#step0}" "$(sed -n "s/^$1 *\([^|]*\) |.*/\1/p" tools/steps)"
  set -- "$(say "${1%%_*} $2")"
  echo "${1#? }"
}

# section NAME FILE: prints the lines of FILE between "== NAME" and the next "== ".
section() { awk -v name="$1" '/^== / { inside = $2 == name; next } inside' "$2"; }
