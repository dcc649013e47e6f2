#!/bin/sh
# sanitizers_test.sh [step0N]: a copy of each step, or of one, in an empty folder passes its tests with clang,
# AddressSanitizer and UBSan, without a warning. Exit status: 77 if clang++-19 is missing.
command -v clang++-19 >/dev/null || { echo "skipped: all steps with sanitizers, because clang++-19 is not installed"; exit 77; }
here=$(cd "$(dirname "$0")" && pwd)
faster=-DCMAKE_PROJECT_INCLUDE=$here/faster.cmake
[ "${PROVED-}" != nothing ] || faster= # because it hides a missing #include
# UBSan's check of vptr opens a pipe, so it fails in tests that run out of descriptors.
exec "$here/alone_test.sh" "$@" --build -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=clang++-19 \
  -DCMAKE_COMPILE_WARNING_AS_ERROR=ON -DCMAKE_CXX_FLAGS_DEBUG=-g1 \
  ${faster:+"$faster"} '-DCMAKE_CXX_FLAGS=-fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all'
