#!/bin/sh
# security_test.sh BUILD: checks what docs/SECURITY.md says. BUILD is a folder with all programs.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd) || exit 2
. "$root/tests/expect.sh"
scratch=$(cd "$scratch" && pwd -P)
cd "$root" || exit 2

# forbidden TRACE: prints the calls that reach another machine, or change a file outside of $scratch. The calls that
# only read are listed, so that an unknown call is found. Relative paths are allowed, because the programs are
# started in that folder.
forbidden() {
  grep 'sa_family=AF_' "$1" | grep -vE 'AF_(UNIX|NETLINK|UNSPEC)|inet_addr\("127[.]|inet_pton\(AF_INET6, "::(1|ffff:127[.][0-9.]*)"'
  LC_ALL=C grep -aE '^[0-9]+ +[a-z]' "$1" | grep -av 'sa_family=AF_' |
    sed "/[.][.][/\"]/!s,\"$scratch/[^\"]*\",,g; s,\"/dev/null\",,; s,\"/dev/tty\",," |
    grep -avE '^[0-9]+ +(execve|access|faccessat2?|readlink(at)?|chdir|getcwd|inotify_add_watch)\(' |
    grep -avE '^[0-9]+ +([a-z0-9_]*stat[a-z0-9_]*|send|recv|socket|[gs]etsockopt)|[(, ](O_RDONLY|O_PATH)' |
    grep -aE '"/|"([^"]*/)?[.][.][/"]'
}
# finds CALL, misses CALL: checks that this call is forbidden, or that it is allowed.
call() { echo "17    $1 = 0" >"$scratch/trace" && forbidden "$scratch/trace"; }
finds() { call "$1" | grep -q . || complain "not found: $1"; }
misses() { ! call "$1" | grep . || complain "found: $1"; }
finds 'connect(3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("192.0.2.1")}, 16)'
finds 'sendto(3, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")}, 16)'
finds 'bind(3, {sa_family=AF_INET, sin_port=htons(0), sin_addr=inet_addr("0.0.0.0")}, 16)'
finds 'bind(3, {sa_family=AF_INET6, sin6_port=htons(0), inet_pton(AF_INET6, "::", &sin6_addr)}, 28)'
finds 'openat(AT_FDCWD, "/etc/passwd", O_WRONLY|O_CLOEXEC)'
finds 'openat(AT_FDCWD, "../log", O_WRONLY|O_CREAT|O_TRUNC, 0666)'
finds 'unlink("/tmp/x")'
finds "unlink(\"$scratch/../x\")"
finds "rename(\"$scratch/x\", \"/tmp/x\")"
misses 'getsockname(3, {sa_family=AF_INET6, sin6_port=htons(9), inet_pton(AF_INET6, "::ffff:127.0.0.1", &sin6_addr)}, [28])'
misses 'connect(3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")}, 16)'
misses 'connect(9, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110)'
misses 'openat(AT_FDCWD, "/etc/passwd", O_RDONLY|O_CLOEXEC)'
misses 'openat(AT_FDCWD, "log", O_WRONLY|O_CREAT|O_TRUNC, 0666)'
misses "unlink(\"$scratch/x\")"

# Every program, as it is checked. io_uring would hide from strace what libuv does with files.
export TMPDIR="$scratch" UV_USE_IO_URING=0
if strace -f -o "$scratch/trace" true 2>/dev/null; then
  while read -r step _; do
    for program in $(tools/learn/programs "$step"); do
      expect 0 strace -f -s 4096 -e trace=%file,%network -o "$scratch/trace" \
        tools/learn/check "$step" "$build/$step" "$program"
      grep -q "execve(\"$build/$step/$program\"" "$scratch/trace" || complain "$program was not traced"
      forbidden "$scratch/trace" >"$scratch/out"
      [ ! -s "$scratch/out" ] || complain "$step/$program does what it must not"
    done
  done <tools/steps
else
  skip "the system calls of the programs, because strace is not installed, or not allowed"
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

# The sources: only these files start a program or a shell.
# matches PATTERN FILE...: in the programs and the library, exactly these files contain PATTERN.
matches() {
  grep -lE -e "$1" step0?_*/*.[ch]pp step09_reactor/coop/*.[ch]pp step09_reactor/coop/core/*.[ch]pp step09_reactor/coop/uv/*.[ch]pp step09_reactor/programs/*.[ch]pp \
    step0?_*/tools/*.cpp >"$scratch/out"
  shift
  [ "$(sed 's,.*/,,' "$scratch/out" | xargs)" = "$*" ] || complain "not only in $*"
}
matches '(^|[^_[:alnum:]])(system|popen|wordexp) *\('
matches '(^|[^_[:alnum:]])(::fork|vfork|posix_spawnp?|exec[lv][pe]*|uv_spawn) *\([^)]' process.cpp
matches 'coop/uv/(process|command)[.]hpp' child.cpp run_commands.cpp
matches '"(/bin/)?(ba|da)?sh"' command.cpp
grep -n 'argv\|std::cin\|getenv\|open_descriptor' step09_reactor/programs/run_commands.cpp >"$scratch/out"
grep ' command{' step09_reactor/programs/child.cpp | grep -v 'command{"[^"]*"\(, "[^"]*"\)*};$' >>"$scratch/out"
[ ! -s "$scratch/out" ] || complain "these commands are not in the source"
! grep -rnE '(^|[^-._[:alnum:]])eval[[:space:]]' learn tools tests/site/run .ci/run >"$scratch/out" ||
  complain "a script evaluates text"

# Downloads: only these files contain such commands, most of them in a message. apt installs nothing before the
# reader has agreed.
grep -rlE '(^|[^-._[:alnum:]])(curl|wget|npm|npx|pip3?|apt|apt-get|git (clone|fetch|pull)) ' learn tools | sort >"$scratch/out"
printf "tools/%s\\n" keep/bundle learn/doctor learn/setup.sh zh_messages.tsv >"$scratch/expected"
cmp -s "$scratch/expected" "$scratch/out" || complain "something else is fetched, or elsewhere"

cat >"$scratch/consent" <<'SH'
. tools/learn/setup.sh
id() { echo "$user"; }
has() { true; }
missing_packages() { echo patch; }
install_packages() { echo installing; }
ensure_packages "$yes"
SH
export user yes
while read -r user yes installs; do
  sh "$scratch/consent" >"$scratch/out" </dev/null
  [ "$(grep -c installing "$scratch/out")" = "$installs" ] || complain "user $user, --yes: $yes"
done <<'TABLE'
1000 no 0
1000 yes 1
0 no 0
TABLE
user=0 yes=no
if command -v script >/dev/null; then # with a terminal, root is asked as well
  for answer in y n; do
    echo $answer | script -qec "sh $scratch/consent" /dev/null >"$scratch/out"
    grep -q 'Install them now' "$scratch/out" || complain "root was not asked"
    [ "$(grep -c installing "$scratch/out")" = "$(echo $answer | grep -c y)" ] || complain "answer $answer"
  done
else
  skip "the question before an installation, because script is not installed"
fi
finish
