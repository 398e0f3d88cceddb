#!/usr/bin/env bash
# Makes sure that everything needed to build and test pqlab is here.
#   scripts/setup.sh          what `make run` needs
#   scripts/setup.sh full     and what `make test-full` needs (a browser, Python for reading Parquet)
# On Debian and Ubuntu missing packages are installed, as root or through sudo; elsewhere they are named.
set -euo pipefail

# tool:package pairs; a tool that is there needs no package.
wanted="cc:build-essential make:make perl:perl cmake:cmake ninja:ninja-build git:git curl:curl python3:python3"
[ "${1:-}" = full ] && wanted="$wanted chromium:chromium ip:iproute2"

missing=""
for pair in $wanted; do
  command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair##*:}"
done
[ -e /etc/ssl/certs/ca-certificates.crt ] || [ ! -e /etc/debian_version ] || missing="$missing ca-certificates"
if [ "${1:-}" = full ] && command -v python3 >/dev/null && ! python3 -m venv --help >/dev/null 2>&1; then
  missing="$missing python3-venv"
fi

install() {
  if ! command -v apt-get >/dev/null; then
    echo "setup: missing here:$missing" >&2
    echo "  hint: install them with your package manager (the names are Debian's), then run this again" >&2
    exit 2
  fi
  as=""
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "setup: missing here:$missing" >&2
      echo "  hint: run as root: apt-get install -y$missing" >&2
      exit 2
    fi
    as=sudo
  fi
  echo "setup: installing$missing" >&2
  $as apt-get update -qq
  # shellcheck disable=SC2086
  $as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}
[ -z "$missing" ] || install

# Rust: the workspace says which version it needs.
need=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml")
have=$(cargo --version 2>/dev/null | cut -d' ' -f2 || true)
if [ -z "$have" ] || [ "$(printf '%s\n%s\n' "$need" "$have" | sort -V | head -n1)" != "$need" ]; then
  echo "setup: Rust $need or newer is needed, found ${have:-none}; installing with rustup" >&2
  if ! command -v rustup >/dev/null; then
    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal -c clippy -c rustfmt || {
      echo "setup: rustup could not be fetched" >&2
      echo "  hint: install Rust $need or newer (https://rustup.rs), then run this again" >&2
      exit 2
    }
    # shellcheck disable=SC1091
    . "${CARGO_HOME:-$HOME/.cargo}/env"
  fi
  rustup toolchain install stable --profile minimal -c clippy -c rustfmt
fi
