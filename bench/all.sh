#!/usr/bin/env bash
# Every program of this folder; what each must reach is in its first lines and in README.md.
set -uo pipefail
cd "$(dirname "$0")"
status=0
for program in ./harness_tax.sh ./openssl_speed.py ./times.sh; do
  printf '\n== %s\n' "$program"
  "$program" || status=1
done
exit $status
