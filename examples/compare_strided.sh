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

One line per loop: to[i * T] = from[i * F], in the first-level cache and in memory; nanoseconds per element,
the best of all rounds, and clang's time over ours: grep cache, grep memory.
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

# strided TYPE C_TYPE FROM TO COUNT WHERE: one function for mini-opt, one row for the program.
strided() {
  local type=$1 from=$3 to=$4 count=$5 name
  name=$1_from_${3/-/m}_to_${4/-/m}_$6
  local buffers="memref<$(size "$from" "$count")x$type>) outs(%to : memref<$(size "$to" "$count")x$type>)"
  cat >>"$keep/strided.tir" <<END
#from_$name = affine_map<(d0) -> ($(walk "$from" "$count"))>
#to_$name = affine_map<(d0) -> ($(walk "$to" "$count"))>
func.func @$name(%from: memref<$(size "$from" "$count")x$type>, %to: memref<$(size "$to" "$count")x$type>) {
  linalg.generic {indexing_maps = [#from_$name, #to_$name], iterator_types = ["parallel"]} ins(%from : $buffers {
  ^bb0(%in: $type, %old: $type):
    linalg.yield %in : $type
  }
  return
}
END
  echo "STRIDED($name, $2, $from, $to, $count)" >>"$keep/strided.inc"
}

: >"$keep/strided.tir"
: >"$keep/strided.inc"
for types in "f32 float 4" "f64 double 8" "i32 int32_t 4" "i1 uint8_t 1"; do
  read -r type c_type bytes <<<"$types"
  for stride in 2 3 4 8 -1 -2; do
    for place in "${places[@]}"; do
      count=$((${place#*:} / bytes / ${stride#-}))
      strided "$type" "$c_type" "$stride" 1 "$count" "${place%:*}"
      strided "$type" "$c_type" 1 "$stride" "$count" "${place%:*}"
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
