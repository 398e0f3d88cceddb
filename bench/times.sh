#!/usr/bin/env bash
# Times of the program itself: `list` (must hold: under 50 ms), `report` of a run (under 2 s), the quick plan (at most 120 s).
#   bench/times.sh [RUN_DIR]      without RUN_DIR the quick plan is run
set -euo pipefail
cd "$(dirname "$0")/.."
run=${1:-}
now() { date +%s%N; }
took() { printf '%-22s %6d ms\n' "$1" $((($(now) - $2) / 1000000)); }
if [ -z "$run" ]; then
  run=$(mktemp -d)/quick
  start=$(now); target/release/pqlab run quick --quiet --output "$run" >/dev/null || echo "the quick plan found failed rows"; took "run quick" "$start"
fi
python3 - "$run/run.json" <<'P'
import json, sys
rows = [r for r in json.load(open(sys.argv[1]))["rows"] if r["status"] == "ok"]
print(f"measured rows          {len(rows):6d}, providers {len({r['provider'] for r in rows})}")
P
start=$(now); target/release/pqlab list >/dev/null; took "list" "$start"
start=$(now); target/release/pqlab report "$run" --format all --force --quiet >/dev/null; took "report --format all" "$start"
start=$(now); target/release/pqlab report "$run" --format html --quiet >/dev/null; took "report --format html" "$start"
