#!/usr/bin/env bash
# The lab, end to end: installs what is missing, builds mini-opt, and measures the 2x2 on this machine.
#   examples/run_fusion.sh [ITERATIONS]
set -euo pipefail
cd "$(dirname "$0")/.."
source examples/lib.sh

iterations=${1:-21}
[[ $iterations =~ ^[0-9]+$ ]] || { echo "usage: examples/run_fusion.sh [ITERATIONS]" >&2; exit 1; }
payload=examples/fusion.tir
mini_opt=build/release/tools/mini-opt

install_packages g++ cmake ninja-build libfmt-dev libasmjit-dev nlohmann-json3-dev
headline "Build (Release)"
quietly cmake --preset release
quietly cmake --build --preset release
echo "built $mini_opt"

headline "1. The 2x2: {fusion} x {elimination}"
mkdir -p out
show "$mini_opt --ablate=$iterations --json=out/ablation.json $payload"
"$mini_opt" --ablate="$iterations" --json=out/ablation.json "$payload" | tee out/ablation.txt

headline "2. The buffers: what is allocated and copied"
keep() { # NAME FLAGS...: the buffer-level IR of one corner, kept in out/
  local name=$1
  shift
  "$mini_opt" "$@" "$payload" -o "out/$name.buf.tir"
}
keep A_unfused --bufferize
keep B_fused --fuse --bufferize
keep C_unfused_elim --elim
keep D_fused_elim --fuse --elim
for corner in "A_unfused --bufferize" "D_fused_elim --fuse --elim"; do
  name=${corner%% *}
  show "$mini_opt ${corner#* } $payload | grep -nE 'memref.alloc|memref.copy|linalg.generic'"
  grep -nE 'memref\.alloc|memref\.copy|linalg\.generic' "out/$name.buf.tir" | cut -c1-110
done
echo "kept: out/A_unfused.buf.tir out/B_fused.buf.tir out/C_unfused_elim.buf.tir out/D_fused_elim.buf.tir"

headline "3. The page faults of each call: allocated bytes / page size, and what was counted"
show "$mini_opt --ablate $payload | grep 'faults predicted'"
grep 'faults predicted' out/ablation.txt

headline "4. What fusion did to the IR: three bodies became one"
show "$mini_opt --fuse $payload"
"$mini_opt" --fuse "$payload" | sed -n '/linalg.generic/,/-> tensor/p'
