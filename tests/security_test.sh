#!/bin/sh
# security_test.sh BUILD: what docs/SECURITY.md says. BUILD is a folder with all programs. Without strace,
# what they ask of the system is not looked at.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd) || exit 2
. "$root/tests/expect.sh"
scratch=$(cd "$scratch" && pwd -P)
cd "$root" || exit 2

# Of a trace, the calls that reach another machine, or change a file outside of the folder `inside`.
# What is no writing is named here, so that a call that nobody has thought of is one. Relative paths
# are fine: the programs are started in that folder.
cat >"$scratch/forbidden.awk" <<'AWK'
!/^[0-9]+ +[a-z]/ { next }  # the second half of a line that has been seen, or an exit
{ call = $2; sub(/\(.*/, "", call) }
/sa_family=AF_/ {
  if ($0 !~ /AF_(UNIX|NETLINK|UNSPEC)|inet_addr\("127[.]|inet_pton\(AF_INET6, "::1"/) print
  next
}
call ~ /^(execve|access|faccessat2?|readlink(at)?|chdir|getcwd|inotify_add_watch)$/ { next }
call ~ /stat/ || /[(, ](O_RDONLY|O_PATH)/ { next }
!/"/ || call ~ /^(send|recv|socket|[gs]etsockopt)/ { next }
{
  rest = $0
  while (match(rest, /"[^"]*"/)) {
    path = substr(rest, RSTART + 1, RLENGTH - 2)
    rest = substr(rest, RSTART + RLENGTH)
    if (path ~ /(^|\/)[.][.](\/|$)/ || (path ~ /^\// && index(path, inside "/") != 1 && path !~ /^\/dev\/(null|tty)$/)) {
      print
      next
    }
  }
}
AWK
forbidden() { LC_ALL=C awk -v inside="$scratch" -f "$scratch/forbidden.awk" "$@"; }

# finds CALL, misses CALL: is it one?
finds() { echo "17    $1 = 0" | forbidden | grep -q . || complain "not found: $1"; }
misses() { ! echo "17    $1 = 0" | forbidden | grep . || complain "found: $1"; }
finds 'connect(3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("192.0.2.1")}, 16)'
finds 'sendto(3, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")}, 16)'
finds 'bind(3, {sa_family=AF_INET, sin_port=htons(0), sin_addr=inet_addr("0.0.0.0")}, 16)'
finds 'bind(3, {sa_family=AF_INET6, sin6_port=htons(0), inet_pton(AF_INET6, "::", &sin6_addr)}, 28)'
finds 'openat(AT_FDCWD, "/etc/passwd", O_WRONLY|O_CLOEXEC)'
finds 'openat(AT_FDCWD, "../log", O_WRONLY|O_CREAT|O_TRUNC, 0666)'
finds 'unlink("/tmp/x")'
finds "rename(\"$scratch/x\", \"/tmp/x\")"
misses 'connect(3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")}, 16)'
misses 'connect(9, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110)'
misses 'openat(AT_FDCWD, "/etc/passwd", O_RDONLY|O_CLOEXEC)'
misses 'openat(AT_FDCWD, "log", O_WRONLY|O_CREAT|O_TRUNC, 0666)'
misses "unlink(\"$scratch/x\")"

# Every program, as it is checked. io_uring would hide from strace what libuv does with files.
export TMPDIR="$scratch" UV_USE_IO_URING=0
if strace -f -o "$scratch/trace" true 2>/dev/null; then
  while read -r step _; do
    for program in $(tools/programs "$step"); do
      expect 0 strace -f -s 4096 -e trace=%file,%network -o "$scratch/trace" \
        tools/check "$step" "$build/$step" "$program"
      grep -q "execve(\"$build/$step/$program\"" "$scratch/trace" || complain "$program was not traced"
      forbidden "$scratch/trace" >"$scratch/out"
      [ ! -s "$scratch/out" ] || complain "$step/$program does what it must not"
    done
  done <tools/steps
else
  echo "not looked at what the programs do: strace is not here, or not allowed"
fi

# Every server: which addresses listen on its port. A line of /proc/net/tcp has address:port, in hex.
mkfifo "$scratch/said"
for server in "$build"/step0?_*/web_server "$build"/step0?_*/echo_server; do
  timeout 30 "$server" 0 >"$scratch/said" &
  read -r line <"$scratch/said"
  port=$(expr "$line" : 'Starting server at port \([0-9]*\)\.\.\.$') || complain "$server said: $line"
  awk -v port="$(printf '%04X' "$port")" '$4 == "0A" && $2 ~ ":" port "$" { print $2 }' \
    /proc/net/tcp /proc/net/tcp6 >"$scratch/out"
  [ "$(cat "$scratch/out")" = "$(printf '0100007F:%04X' "$port")" ] || complain "$server listens elsewhere"
  kill $!
  wait $!
done

# The sources: who starts a program or a shell, and with what.
# matches PATTERN FILE...: of the programs and the library, these files have it, and no others.
matches() {
  grep -lE -e "$1" step0?_*/*.[ch]pp step09_reactor/coop/*.[ch]pp step09_reactor/coop/uv/*.[ch]pp step09_reactor/programs/*.[ch]pp >"$scratch/out"
  shift
  [ "$(sed 's,.*/,,' "$scratch/out" | xargs)" = "$*" ] || complain "not only in $*"
}
matches '(^|[^_[:alnum:]])(system|popen|wordexp) *\('
matches '(^|[^_[:alnum:]])(::fork|vfork|posix_spawnp?|exec[lv][pe]*|uv_spawn) *\([^)]' process.cpp
matches 'coop/uv/(process|command)[.]hpp' child.cpp run_commands.cpp
matches '"(/bin/)?(ba|da)?sh"' command.cpp
grep -n 'argv\|std::cin\|getenv\|open_descriptor' step09_reactor/programs/run_commands.cpp >"$scratch/out"
grep ' command{' step09_reactor/programs/child.cpp | grep -v 'command{"[^"]*"\(, "[^"]*"\)*};$' >>"$scratch/out"
[ ! -s "$scratch/out" ] || complain "these commands do not stand in the source"
! grep -rnE '(^|[^-._[:alnum:]])eval[[:space:]]' learn tools tests/site/run .ci/run >"$scratch/out" ||
  complain "a script evaluates text"

# What is fetched, and when: apt and its kin are where they are expected, and apt is not asked before
# the reader was. consent ID WORD: what ./learn does for such a user, with --yes or without.
# The others print its name, or ask whether it is there.
grep -rlE '(^|[^-._[:alnum:]])(curl|wget|npm|npx|pip3?|apt|apt-get|git (clone|fetch|pull)) ' learn tools | sort >"$scratch/out"
printf 'tools/%s\n' bench.jq bundle doctor setup.sh >"$scratch/expected"
cmp -s "$scratch/expected" "$scratch/out" || complain "something else is fetched, or elsewhere"

cat >"$scratch/consent" <<'SH'
. tools/setup.sh
id() { echo "$user"; }
has() { true; }
missing_packages() { echo patch; }
install_packages() { echo installing; }
ensure_packages "$yes"
SH
export user yes
for answer in "1000 no" "1000 yes" "0 no" "0 yes"; do
  user=${answer% *} yes=${answer#* }
  sh "$scratch/consent" >"$scratch/out" </dev/null
  case $answer in
  "1000 no") ! grep -q installing "$scratch/out" ;;
  *) grep -q installing "$scratch/out" ;;
  esac || complain "consent of $answer"
done
if command -v script >/dev/null; then # with a terminal, root is asked, too
  for answer in y n; do
    user=0 yes=no
    echo $answer | script -qec "sh $scratch/consent" /dev/null >"$scratch/out"
    grep -q 'Shall I' "$scratch/out" || complain "nobody was asked"
    [ "$(grep -c 'installing' "$scratch/out")" = "$(echo $answer | grep -c y)" ] || complain "answer $answer"
  done
fi
finish
