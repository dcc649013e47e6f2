# shellcheck shell=sh
# Builds programs and tests, for ./learn, which sources this.
# shellcheck disable=SC2031,SC2154 # shared with what sources this

build_folder=build/learn

# What building a step needs.
need_step() { case $1 in step09*) need compiler make cmake libuv pkg-config ;; *) need compiler ;; esac; }

# Has CMake configured build/learn, for this place, with these presets, this compiler, and Catch2 if it is here?
configured() {
  grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd)" "$build_folder"/CMakeCache.txt &&
    [ -n "$(find "$build_folder"/Makefile -newer CMakePresets.json)" ] &&
    [ -z "$new_compiler" ] &&
    { ! grep -q '^Catch2_DIR:.*NOTFOUND' "$build_folder"/CMakeCache.txt || ! has_need catch2; } &&
    cmake --build "$build_folder" --target cmake_check_build_system
}

# The compiler that CXX names, if build/learn was configured with another one.
other_compiler() {
  used=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$build_folder"/CMakeCache.txt 2>/dev/null)
  [ -z "${CXX-}" ] || [ -z "$used" ] || [ "$used" = "$(command -v "$CXX")" ] || echo "$CXX"
}

# shellcheck disable=SC2094 # the lock has the process that builds
# Builds targets of CMake, or the site, quietly. A folder that was configured for another place or another compiler, or whose
# configuration fails, is configured again from the beginning.
build() {
  { mkdir -p build && : >>build/lock; } 2>/dev/null || no_space build
  (
    if has flock && ! flock -n 9; then
      progress
      say 'Another ./learn builds here, process %s; waiting until it has finished ...' "$(cat build/lock)" >&2
      flock 9
    fi
    echo $$ >build/lock
    # shellcheck disable=SC2030 # it is used here
    new_compiler=$(other_compiler)
    [ -z "$new_compiler" ] || say 'CXX is another compiler than before, so everything is built again ...' >&2
    { : >build/learn.log; } 2>/dev/null || no_space build/learn.log
    {
      if [ "$1" = site ]; then
        tools/book/book.py
      else
        { configured || configure || { rm -rf "$build_folder" && configure; }; } &&
          cmake --build "$build_folder" --target "$@" -j "$jobs"
      fi
    } >build/learn.log 2>&1 9>&- && exit
    progress
    ! disk_is_full || no_space build
    grep -A 6 -i -m 3 'error' build/learn.log >&2 || tail -n 20 build/learn.log >&2
    die '%s could not be built; all messages are in build/learn.log' "$*"
  ) 9>>build/lock || exit 2
}

configure() {
  [ -z "$new_compiler" ] || rm -rf "$build_folder"
  if [ "$build_folder" = build/learn ]; then cmake --preset learn; else cmake -S "$step" -B "$build_folder"; fi
}

# build_programs STEP [PROGRAM...]: all of the step, or these. With CMake, which has the standard library precompiled,
# for step 9, or if it has been configured; else without, because steps 1 to 8 need a compiler only.
build_programs() {
  of=$1 short=${1%%_*}
  shift
  if [ "$short" = step09 ] || [ -e "$build_folder"/Makefile ]; then
    # shellcheck disable=SC2046 # a word for each target, which make builds one after the other
    build $(if [ $# -eq 0 ]; then echo "$short"; else printf "${short}_%s " "$@"; fi)
    return
  fi
  # shellcheck disable=SC2046 # a word for each program
  [ $# -gt 0 ] || set -- $(tools/learn/programs "$of") $(tools/learn/programs --helpers "$of")
  mkdir -p "$build_folder/$of" 2>/dev/null || no_space build
  said=$(printf '%s\n' "$@" | xargs -P "$jobs" -n 1 tools/learn/compile "$of" 2>&1) || {
    progress
    echo "$said" | uniq >&2 # a full disk is full for each program
    exit 2
  }
}
