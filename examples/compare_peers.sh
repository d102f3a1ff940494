#!/usr/bin/env bash
# Compiles kernels with mini-opt and with the real mlir-opt + clang, and times both, and a kernel that only
# moves the same bytes, in one process on the same buffers. Results are compared before anything is timed.
set -euo pipefail
cd "$(dirname "$0")/.."
source examples/lib.sh

all_kernels=(fusion residual_add silu bias_gelu softmax layernorm rmsnorm relu_sum col_sumsq transpose_add)

usage() {
  cat <<END
usage: examples/compare_peers.sh [--reps=N] [--side=N] [--build=DIR] [--keep=DIR] [KERNEL...]

  KERNEL        of examples/KERNEL.tir; all of these by default:
                ${all_kernels[*]}
  --reps=N      rounds to measure (21)
  --side=N      matrices of N x N floats and vectors of N * N (4096: what the examples say)
  --build=DIR   take mini-opt and compare_peers from this build; otherwise builds build/release
  --keep=DIR    where the objects and libraries go (out/peers)

The table goes to stdout, two lines per kernel: grep p50 for the medians, min for the best of all rounds.
Exit status: 0 all results agree (targets reached or not), 1 something failed or two results disagree,
2 a wrong command line, 77 no mlir-opt, mlir-translate and clang of one version (20 or later) here.
END
}

wrong() {
  echo "compare_peers.sh: $*" >&2
  usage >&2
  exit 2
}

kernels=()
reps=21 side=4096 build="" keep=out/peers
for argument in "$@"; do
  case $argument in
    --help) usage; exit 0 ;;
    --reps=*) reps=${argument#*=} ;;
    --side=*) side=${argument#*=} ;;
    --build=*) build=${argument#*=} ;;
    --keep=*) keep=${argument#*=} ;;
    -*) wrong "no such option: $argument" ;;
    *) [[ " ${all_kernels[*]} " == *" $argument "* ]] || wrong "no such kernel: $argument"
       kernels+=("$argument") ;;
  esac
done
[[ $reps =~ ^[1-9][0-9]{0,5}$ ]] || wrong "--reps takes a number from 1 to 999999, not '$reps'"
[[ $side =~ ^[1-9][0-9]{0,4}$ && $side -le 16384 ]] || wrong "--side takes a number from 1 to 16384, not '$side'"
[[ ${#kernels[@]} != 0 ]] || kernels=("${all_kernels[@]}")

# The three tools have to be of one version: what mlir-translate writes, an older clang may not read.
mlir_opt=$(find_mlir_opt || true)
suffix=${mlir_opt#mlir-opt}
mlir_translate=mlir-translate$suffix
clang=clang$suffix
missing=()
[[ -n $mlir_opt ]] || missing+=("mlir-opt (20 or later)")
for tool in "$mlir_translate" "$clang"; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done
if [[ ${#missing[@]} != 0 ]]; then
  version=${suffix#-}
  version=${version:-22}
  {
    echo "compare_peers.sh: not found: ${missing[*]}"
    echo "On Debian:  apt-get install mlir-$version-tools clang-$version"
    echo "Where the distribution has none of version 20 or later, apt.llvm.org has them."
  } >&2
  exit 77
fi

progress() { [[ ! -t 2 ]] || printf '\r\033[K%s' "$*" >&2; }

if [[ -z $build ]]; then
  build=build/release
  progress "building mini-opt ($build)"
  quietly cmake --preset release
  quietly cmake --build --preset release --target mini-opt compare_peers
fi
mkdir -p "$keep"

# sized KERNEL: the example, at the size that was asked for.
sized() { sed "s/16777216/$((side * side))/g; s/4096/$side/g" "examples/$1.tir"; }

# The pipeline that mlir-opt users write for this, and clang's best for the machine. The C interface
# (_mlir_ciface_NAME) takes pointers to memref descriptors.
build_peer() {
  "$mlir_opt" --linalg-fuse-elementwise-ops --eliminate-empty-tensors --empty-tensor-to-alloc-tensor \
    --one-shot-bufferize=function-boundary-type-conversion=identity-layout-map --buffer-deallocation-pipeline \
    --canonicalize --cse --convert-linalg-to-loops --expand-strided-metadata --lower-affine \
    --convert-scf-to-cf --convert-cf-to-llvm --convert-arith-to-llvm --convert-math-to-llvm \
    --convert-math-to-libm --finalize-memref-to-llvm --llvm-request-c-wrappers --convert-func-to-llvm \
    --reconcile-unrealized-casts "$keep/$1.tir" -o "$keep/$1.peer.mlir"
  "$mlir_translate" --mlir-to-llvmir "$keep/$1.peer.mlir" -o "$keep/$1.peer.ll"
  "$clang" -Wno-override-module -x ir "$keep/$1.peer.ll" -O3 -march=native -fveclib=libmvec -fPIC -c -o "$keep/$1.peer.o"
  "$clang" -shared "$keep/$1.peer.o" -lmvec -lm -o "$keep/$1.peer.so"
}

build_ours() {
  "$build/tools/mini-opt" --fuse --elim --emit=obj "$keep/$1.tir" -o "$keep/$1.ours.o"
  "$clang" -shared "$keep/$1.ours.o" -lm -o "$keep/$1.ours.so"
}

for kernel in "${kernels[@]}"; do
  progress "compiling $kernel"
  sized "$kernel" >"$keep/$kernel.tir"
  build_peer "$kernel"
  build_ours "$kernel"
done
progress ""

"$build/examples/compare_peers" --side="$side" --reps="$reps" --dir="$keep" "${kernels[@]}"
