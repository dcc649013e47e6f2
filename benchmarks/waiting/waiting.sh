# shellcheck shell=sh
# Shared by the other scripts, which measure the commands of a reader in a clone of the project.
set -eu
unset CMAKE_CXX_COMPILER_LAUNCHER # ccache would remember
# shellcheck disable=SC2034 # the others use it
project=$(pwd)/project
! command -v taskset >/dev/null || taskset -pc "0-$(($(nproc --all) - 1))" $$ >/dev/null # all cores again

seconds_since() { awk "BEGIN { print $(date +%s.%N) - $1 }"; }

# report FAMILY SECONDS ...
report() {
  printf '{"benchmarks":['
  while [ $# -gt 0 ]; do
    printf '{"name":"%s","seconds":%s}' "$1" "$2"
    shift 2
    [ $# -eq 0 ] || printf ','
  done
  printf ']}\n'
}
