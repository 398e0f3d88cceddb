"""Checks the outcome of a smoke run: the document on standard output, the run directory, the figures."""
import json
import pathlib
import sys

document, directory = json.load(open(sys.argv[1])), pathlib.Path(sys.argv[2])
stored = json.load(open(directory / "run.json"))
assert document == stored, "standard output and run.json differ"
assert stored["schema"] == "pqlab.run/1" and stored["finished_at"], "not a finished run"
measured = [row for row in stored["rows"] if row["status"] == "ok"]
assert len(measured) >= 12, f"only {len(measured)} rows were measured"
assert {row["algorithm"] for row in measured} == {"ML-KEM-768", "ML-DSA-65", "AES-256-GCM"}
assert len({row["provider"] for row in measured}) >= 3, "fewer than three providers"
for row in measured:
    assert row["median_ns"] > 0 and row["n"] > 0 and row["processes"] == 2, row["id"]
    # Two processes carry no 95 % interval: it must be absent with a reason, not invented.
    assert row["ci95_ns"] is None and row["absent"]["ci95_ns"], row["id"]
for row in stored["rows"]:
    assert row["status"] in ("ok", "unavailable"), f"{row['id']}: {row['reason']}"
for name in ("samples.parquet", "report.html"):
    assert (directory / name).stat().st_size > 1000, f"{name} is missing or empty"
assert list((directory / "charts").glob("*.png")), "no charts"
print(f"smoke run: {len(measured)} rows measured, {len(stored['rows']) - len(measured)} unavailable with a reason")
