#!/usr/bin/env bash
# All checks of `make test`; ends with the sum of all test programs.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
step() { printf '\n== %s (%s s)\n' "$1" "$SECONDS"; }

step "format"
cargo fmt --all --check

step "the page's script"
# The page itself is opened in a browser by `make test-full`; that its script parses is checked here too.
page_skipped=0
if command -v node >/dev/null; then node --check crates/report/assets/page.js
else page_skipped=1 && echo "SKIPPED: no node to parse the page's script: apt-get install nodejs"; fi

step "clippy, warnings denied"
cargo clippy --workspace --all-targets -j"$jobs" -- -D warnings

step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items -j"$jobs"

step "smoke run of the main job"
cargo build --release -p pqlab -j"$jobs"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# The linked-in providers: what else a machine has may be anything, a library that does not conform included.
target/release/pqlab run smoke --providers aws-lc,libcrux,rustcrypto --output "$out/smoke" --json >"$out/run.json"
python3 scripts/check_smoke.py "$out/run.json" "$out/smoke"

step "tests"
log=$out/tests.log
status=0
cargo test --workspace -j"$jobs" -- --show-output 2>&1 | tee "$log" | grep -vE '^(test .* ok|running [0-9]+ tests?|successes:|)$' || status=${PIPESTATUS[0]}
status=${PIPESTATUS[0]:-$status}
step "done"
# Tests that could not run here say `SKIPPED: reason`; they are counted.
awk -v skipped="$(($(grep -c '^SKIPPED: ' "$log" || true) + page_skipped))" '
  /^test result:/ { passed += $4; failed += $6; ignored += $8 }
  END { printf "%d passed, %d failed, %d skipped\n", passed - skipped, failed, ignored + skipped; exit failed > 0 || passed == 0 }
' "$log" || status=1
exit "$status"
