#!/usr/bin/env bash
# Cost of the harness per operation (null provider through the real worker path), as `pqlab doctor` prints it. Must hold: 2 ns or less.
set -euo pipefail
cd "$(dirname "$0")/.."
target/release/pqlab doctor --json | python3 -c '
import json, sys
tax = json.load(sys.stdin)["harness"]
for name, ns in tax["tax_by_operation"].items():
    print(f"{name:20} {ns:.2f} ns")
worst = tax["tax_ns"]
print(f"harness.tax_ns       {worst:.2f} ns (at most 2 wanted)")
sys.exit(worst > 2)'
