#!/usr/bin/env bash
# Installs what the tests need, builds with warnings as errors, and runs every test.
#   tests/run.sh [CTEST ARGUMENTS...]
set -euo pipefail
cd "$(dirname "$0")/.."
source examples/lib.sh

install_packages g++ cmake ninja-build libfmt-dev libasmjit-dev nlohmann-json3-dev libgtest-dev libgmock-dev \
  binutils chromium chromium-driver gdb git llvm patch python3
install_mlir_opt
install_peer_clang
install_remarkutil

headline "Build (warnings are errors)"
cmake --preset test
cmake --build --preset test

headline "Tests"
log=build/test/ctest.log
status=0
ctest --preset test --parallel "$(nproc)" --timeout 300 "$@" 2>&1 | tee "$log" || status=$?

# A test that could not run here is not a test that passed: say so last, where it is seen.
if grep -qE '\(Skipped\)|\*\*\*Skipped' "$log"; then
  printf '\n!!! SKIPPED, not run on this machine:\n'
  grep -E '^[[:space:]]*[0-9]+ - .*\(Skipped\)' "$log" || grep -E '\*\*\*Skipped' "$log"
  find_mlir_opt >/dev/null || echo "!!! no mlir-opt (20 or later) found: nothing was compared with the real one"
  find_remarkutil >/dev/null || echo "!!! no llvm-remarkutil (18 or later) found: LLVM has not read our remark files"
  ! grep -E '\(Skipped\)|\*\*\*Skipped' "$log" | grep -q TracePage ||
    echo "!!! no chromium with chromedriver found: the page of --trace-html was opened in no browser"
  ! grep -E '\(Skipped\)' "$log" | grep -q ComparePeers ||
    echo "!!! no clang of mlir-opt's version found: no kernel was compared with the one that mlir-opt and clang make"
fi
exit "$status"
