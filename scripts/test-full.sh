#!/usr/bin/env bash
# What takes long, after `make test`: `make test-full` calls it with the bundles built.
set -uo pipefail
cd "$(dirname "$0")/.."
cache=${PQLAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pqlab}
passed=0 failed=0 skipped=0
check() { # name command…
  local name=$1; shift
  printf '\n== %s (%s s)\n' "$name" "$SECONDS"
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $name"; fi
}
skip() { skipped=$((skipped + 1)); echo "SKIPPED: $1"; }

libraries() { find "$cache/bundles" -maxdepth 3 -path "*/$1*/lib/*" -name "$2" -type f 2>/dev/null | paste -sd: -; }
crypto=$(libraries openssl 'libcrypto.so.*')
oqs=$(libraries liboqs 'liboqs.so.*')
check "OpenSSL and liboqs adapters on the bundles" env PQLAB_TEST_LIBCRYPTO="$crypto" PQLAB_TEST_LIBOQS="$oqs" \
  cargo test -q -p crypto --test openssl --test liboqs

check "FIPS preflight of the bundle, mode only" target/release/pqlab fips preflight --mode only --quiet
check "FIPS preflight against spoilt modules" cargo test -q -p pqlab --test fips

debian_bundle() { # The release path: shared libraries and FIPS from the untouched upstream archive.
  local folder archive version hash
  folder=$(mktemp -d)
  archive=$(scripts/debian_source.sh openssl trixie "$folder") || return
  version=$(basename "$archive" | sed 's/^openssl_\(.*\)\.orig\.tar\.gz$/\1/')
  # apt compared the archive with the signed index; this is the same value, from the description beside it.
  hash=$(sed -n '/^Checksums-Sha256:/,/^[^ ]/s/^ \([0-9a-f]*\) .*orig\.tar\.gz$/\1/p' "$folder"/*.dsc)
  target/release/pqlab bundle build "openssl@$version" --fips --source "$archive" --sha256 "$hash" &&
    target/release/pqlab bundle verify "openssl@$version+fips" &&
    target/release/pqlab fips preflight --mode only --quiet --bundle "openssl@$version+fips"
}
if command -v apt-get >/dev/null; then check "FIPS bundle from Debian's copy of the release archive" debian_bundle
else skip "no apt-get: the release archive is not fetched from Debian"; fi

vectors=${PQLAB_VECTORS:-../shared/vectors}
full_vectors() {
  # liboqs before 0.16 is known not to conform (docs/evidence/liboqs-ml-dsa-norm.md).
  target/release/pqlab conform --quiet --vectors "$vectors" --providers aws-lc,libcrux,rustcrypto,openssl
}
if [ -d "$vectors" ]; then check "full vector files" full_vectors
else skip "no vector files: set PQLAB_VECTORS to a folder with ACVP and Wycheproof files"; fi

run=$(mktemp -d)/quick
quick() { target/release/pqlab run quick --quiet --output "$run" >/dev/null; [ $? -le 1 ]; }
check "quick plan on all providers" quick

browser() {
  local page
  for page in "$run" "$(mktemp -d)/plain" "$(mktemp -d)/hostile"; do
    [ "$page" = "$run" ] || cargo run -q -p report --example golden -- "$page" "$(basename "$page")" || return
    python3 crates/report/tests/browser/check.py "$page/report.html" || return
  done
}
if command -v chromium >/dev/null; then check "the page in a browser" browser
else skip "no chromium: apt-get install chromium"; fi

parquet() {
  python3 -m venv "$run.venv" && "$run.venv/bin/pip" -q install pyarrow pandas duckdb && "$run.venv/bin/python" - "$run/samples.parquet" <<'P'
import sys, duckdb, pandas
frame = pandas.read_parquet(sys.argv[1])
count = duckdb.sql(f"select count(*) from '{sys.argv[1]}'").fetchone()[0]
assert len(frame) == count > 1000, (len(frame), count)
print(f"pandas and DuckDB read {count} samples")
P
}
check "samples open in pandas and DuckDB" parquet

if command -v cargo-deny >/dev/null; then check "licences and sources" cargo deny --all-features check licenses bans sources
else skip "no cargo-deny: cargo install cargo-deny --locked"; fi

if cargo +nightly fuzz --version >/dev/null 2>&1; then
  for target in $(cargo +nightly fuzz list); do check "fuzz $target, one minute" cargo +nightly fuzz run "$target" -- -max_total_time=60; done
else skip "no cargo-fuzz: cargo install cargo-fuzz, with a nightly toolchain"; fi

printf '\n%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" = 0 ]
