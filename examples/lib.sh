# What the scripts of examples/ and tests/ share. Sourced, not run; the working directory is the root.

# headline TEXT: the title of a step.
headline() { printf '\n== %s ==\n' "$*"; }

# show COMMAND: a command as a person could type it.
show() { printf '$ %s\n' "$*"; }

# quietly COMMAND...: its output only if it fails.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 || status=$?
  [[ $status == 0 ]] || cat "$log" >&2
  rm -f "$log"
  return "$status"
}

# install_packages NAME...: Debian packages that are missing. Says what it installs; asks for sudo only
# if there is something to install and we are not root.
install_packages() {
  local missing=() name
  if ! command -v dpkg-query >/dev/null; then
    echo "no dpkg here: this needs what Debian calls $*" >&2
    return 0
  fi
  for name in "$@"; do
    [[ $(dpkg-query -W -f='${Status}' "$name" 2>/dev/null) == *" ok installed" ]] || missing+=("$name")
  done
  [[ ${#missing[@]} == 0 ]] && return 0
  headline "Installing: ${missing[*]}"
  local as_root=()
  [[ $(id -u) == 0 ]] || as_root=(sudo)
  quietly "${as_root[@]}" apt-get update
  quietly "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

# llvm_version TOOL: its major version.
llvm_version() { "$1" --version | sed -nE 's/.*LLVM version ([0-9]+).*/\1/p'; }

# find_mlir_opt: prints the newest mlir-opt of version 20 or later on the PATH; fails if there is none.
find_mlir_opt() {
  local name version best="" best_version=19
  for name in mlir-opt $(compgen -c mlir-opt- | grep -E '^mlir-opt-[0-9]+$' | sort -u); do
    command -v "$name" >/dev/null || continue
    version=$(llvm_version "$name")
    if [[ ${version:-0} -gt $best_version ]]; then
      best=$name
      best_version=$version
    fi
  done
  [[ -n $best ]] && echo "$best"
}

# install_mlir_opt: where there is no mlir-opt yet and the distribution has one, installs it.
install_mlir_opt() {
  find_mlir_opt >/dev/null && return 0
  command -v apt-cache >/dev/null || return 0
  [[ -n $(apt-cache search --names-only '^mlir-[0-9]+-tools$') ]] || {
    local as_root=()
    [[ $(id -u) == 0 ]] || as_root=(sudo)
    quietly "${as_root[@]}" apt-get update || return 0
  }
  local newest
  newest=$(apt-cache search --names-only '^mlir-[0-9]+-tools$' | grep -oE '^mlir-[0-9]+-tools' | sort -t- -k2 -rn | head -n 1 || true)
  local version=${newest#mlir-}
  version=${version%-tools}
  if [[ ${version:-0} -ge 20 ]]; then
    install_packages "$newest"
  else
    echo "this distribution has no mlir-opt of version 20 or later: the tests against it will be skipped" >&2
  fi
}

# install_peer_clang: the clang of mlir-opt's version, where the distribution has it.
install_peer_clang() {
  local mlir_opt version
  mlir_opt=$(find_mlir_opt) || return 0
  version=$(llvm_version "$mlir_opt")
  command -v "clang-$version" >/dev/null && return 0
  command -v apt-cache >/dev/null || return 0
  [[ -z $(apt-cache search --names-only "^clang-$version\$") ]] || install_packages "clang-$version"
}

# find_remarkutil: prints the newest llvm-remarkutil that can count (18 or later); fails if there is none.
find_remarkutil() {
  local name
  for name in $(compgen -c llvm-remarkutil- | grep -E '^llvm-remarkutil-[0-9]+$' | sort -t- -k3 -rn | uniq); do
    if "$name" count --help >/dev/null 2>&1; then
      echo "$name"
      return 0
    fi
  done
  return 1
}

# install_remarkutil: the LLVM of mlir-opt's version, where the distribution has it.
install_remarkutil() {
  local mlir_opt version
  find_remarkutil >/dev/null && return 0
  mlir_opt=$(find_mlir_opt) || return 0
  version=$(llvm_version "$mlir_opt")
  command -v apt-cache >/dev/null || return 0
  [[ -z $(apt-cache search --names-only "^llvm-$version\$") ]] || install_packages "llvm-$version"
}
