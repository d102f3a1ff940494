#!/usr/bin/env bash
# Loops over elements that are apart: mini-opt's vector code against clang's scalar code, interleaved on the
# same buffers in one process. Results are compared before anything is timed.
set -euo pipefail
cd "$(dirname "$0")/.."
source examples/lib.sh

usage() {
  cat <<END
usage: examples/compare_strided.sh [--isa=NAME] [--reps=N] [--cache-only] [--build=DIR] [--keep=DIR]

  --isa=NAME    of mini-opt's code (the best of this CPU)
  --reps=N      rounds to measure (15)
  --cache-only  leave out the arrays of 32 MiB
  --build=DIR   take mini-opt from this build; otherwise builds build/release
  --keep=DIR    where the kernels and the program go (out/strided)

One line per loop: to[i * T] = f(from[i * F]), in the first-level cache and in memory, where f copies or does
a little arithmetic; nanoseconds per element, the best of all rounds, and clang's time over ours. It can be
grepped for cache or memory, copy or compute, a type.
Exit status: 0 all results agree, 1 something failed, 2 a wrong command line, 77 no clang here.
END
}

isa="" reps=15 places=(cache:$((16 << 10)) memory:$((32 << 20))) build="" keep=out/strided
for argument in "$@"; do
  case $argument in
    --help) usage; exit 0 ;;
    --isa=*) isa=${argument#*=} ;;
    --reps=*) reps=${argument#*=} ;;
    --cache-only) places=("${places[0]}") ;;
    --build=*) build=${argument#*=} ;;
    --keep=*) keep=${argument#*=} ;;
    *) echo "compare_strided.sh: no such option: $argument" >&2; usage >&2; exit 2 ;;
  esac
done
[[ $reps =~ ^[1-9][0-9]{0,3}$ ]] || { echo "compare_strided.sh: --reps takes a number from 1 to 9999, not '$reps'" >&2; exit 2; }

clang=$(compgen -c clang | grep -E '^clang(-[0-9]+)?$' | sort -t- -k2 -rn -u | head -n 1 || true)
[[ -n $clang ]] || { echo "compare_strided.sh: no clang here. On Debian: apt-get install clang" >&2; exit 77; }

if [[ -z $build ]]; then
  build=build/release
  quietly cmake --preset release
  quietly cmake --build --preset release --target mini-opt
fi
mkdir -p "$keep"


# walk STRIDE COUNT: the right-hand side of a map that walks COUNT elements, in either direction.
walk() { if [[ $1 -lt 0 ]]; then echo "d0 * $1 + $((-$1 * ($2 - 1)))"; else echo "d0 * $1"; fi; }

# size STRIDE COUNT: of an array that holds them.
size() { echo $((${1#-} * ($2 - 1) + 1)); }

# body NAME TYPE: what becomes of %in, as steps with the result %out. compare_strided.cpp has the same in C++.
body() {
  case $1_$2 in
    copy_*) ;;
    compute_i1) echo "    %true = arith.constant true
    %out = arith.xori %in, %true : i1" ;;
    compute_i32) echo "    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %sum = arith.addi %in, %one : i32
    %out = arith.muli %sum, %three : i32" ;;
    compute_*) echo "    %one = arith.constant 1.0 : $2
    %three = arith.constant 3.0 : $2
    %sum = arith.addf %in, %one : $2
    %out = arith.mulf %sum, %three : $2" ;;
  esac
}

# strided BODY TYPE C_TYPE FROM TO COUNT WHERE: one function for mini-opt, one row for the program.
strided() {
  local type=$2 from=$4 to=$5 count=$6 name
  name=$2_$1_from_${4/-/m}_to_${5/-/m}_$7
  local buffers="memref<$(size "$from" "$count")x$type>) outs(%to : memref<$(size "$to" "$count")x$type>)"
  cat >>"$keep/strided.tir" <<END
#from_$name = affine_map<(d0) -> ($(walk "$from" "$count"))>
#to_$name = affine_map<(d0) -> ($(walk "$to" "$count"))>
func.func @$name(%from: memref<$(size "$from" "$count")x$type>, %to: memref<$(size "$to" "$count")x$type>) {
  linalg.generic {indexing_maps = [#from_$name, #to_$name], iterator_types = ["parallel"]} ins(%from : $buffers {
  ^bb0(%in: $type, %old: $type):
$(body "$1" "$type")
    linalg.yield %$([[ $1 == copy ]] && echo in || echo out) : $type
  }
  return
}
END
  echo "STRIDED($name, $3, $from, $to, $count, $1)" >>"$keep/strided.inc"
}

: >"$keep/strided.tir"
: >"$keep/strided.inc"
for types in "f32 float 4" "f64 double 8" "i32 int32_t 4" "i1 uint8_t 1"; do
  read -r type c_type bytes <<<"$types"
  for stride in 2 3 4 8 16 -1 -2; do
    for place in "${places[@]}"; do
      count=$((${place#*:} / bytes / ${stride#-}))
      for body in copy compute; do
        strided "$body" "$type" "$c_type" "$stride" 1 "$count" "${place%:*}"
        strided "$body" "$type" "$c_type" 1 "$stride" "$count" "${place%:*}"
      done
    done
  done
done

flags=()
[[ -z $isa ]] || flags+=("--isa=$isa")
"$build/tools/mini-opt" "${flags[@]}" --emit=obj "$keep/strided.tir" -o "$keep/ours.o"
"$clang" -x c++ -std=c++20 -O3 -march=native -fno-vectorize -fno-slp-vectorize -DSTRIDED_PEER -I"$keep" -c examples/compare_strided.cpp -o "$keep/peer.o"
"$clang" -x c++ -std=c++20 -O2 -I"$keep" -c examples/compare_strided.cpp -o "$keep/main.o"
"$clang" "$keep/main.o" "$keep/peer.o" "$keep/ours.o" -lstdc++ -lm -o "$keep/compare_strided"
echo "$($clang --version | head -n 1), -O3 -march=native -fno-vectorize; $(grep -m 1 'model name' /proc/cpuinfo | cut -d: -f2- || true); mini-opt ${isa:-best isa}; $(date +%F)"
"$keep/compare_strided" "$reps"
