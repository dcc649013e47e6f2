#!/bin/sh
# The yardstick: the compiler itself, with the smallest program that prints a line.
. ./waiting.sh
printf '#include <iostream>\nint main() { std::cout << "Hello\\n"; }\n' >hello.cpp
start=$(date +%s.%N)
${CXX:-c++} -O2 -g hello.cpp -o hello
./hello >/dev/null
report rebuild "$(seconds_since "$start")"
