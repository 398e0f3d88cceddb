#!/usr/bin/env python3
"""Agreement of pqlab with `openssl speed` on the same libcrypto, in one interleaved run.

    bench/openssl_speed.py [--bundle DIR] [--rounds N] [--seconds S] [--json FILE]

Round after round, in random order, `openssl speed` and a pqlab worker time the same operation: one key, one input, the
message that `speed` uses. Printed is, per operation, the median over rounds of time(pqlab) / time(speed).
Must hold: at least 12 operations, their median ratio within 0.98 and 1.02, each within 0.95 and 1.05. Exit code 1 if not.
"""
import argparse
import json
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What `speed` is asked, the pattern of its row, and (our algorithm, our operation, message size, column) for each figure.
KEM = [("keygen", 1), ("encaps", 2), ("decaps", 3)]
SIGNATURE = [("keygen", 1), ("sign", 2), ("verify", 3)]
RATES = r"\s+[\d.]+s\s+[\d.]+s\s+[\d.]+s\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)"
UNITS = []
for name in ("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"):
    UNITS.append((["-kem-algorithms", name], name + RATES, [(name, op, 32, col) for op, col in KEM]))
for name in ("ML-DSA-44", "ML-DSA-65", "ML-DSA-87"):
    UNITS.append((["-signature-algorithms", name], name + RATES, [(name, op, 32, col) for op, col in SIGNATURE]))
UNITS += [
    (["ecdhx25519"], r"\(X25519\)\s+[\d.]+s\s+([\d.]+)", [("X25519", "derive", 32, 1)]),
    (["ecdhp256"], r"\(nistp256\)\s+[\d.]+s\s+([\d.]+)", [("P-256", "derive", 32, 1)]),
    (["ed25519"], r"\(Ed25519\)\s+[\d.]+s\s+[\d.]+s\s+([\d.]+)\s+([\d.]+)",
     [("Ed25519", "sign", 20, 1), ("Ed25519", "verify", 20, 2)]),
    (["-evp", "sha3-256", "-bytes", "8192"], r"(?i)sha3-256\s+([\d.]+)k", [("SHA3-256", "hash", 8192, 1)]),
    (["-evp", "sha256", "-bytes", "8192"], r"(?i)sha256\s+([\d.]+)k", [("SHA-256", "hash", 8192, 1)]),
]


class Worker:
    """One prepared operation in a worker process (docs/WORKER.md)."""

    def __init__(self, pqlab, library, algorithm, operation, size, folder):
        command = [pqlab, "worker", "--provider", "openssl", "--library", str(library)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.id = 0
        self.ask(do="hello", protocol="pqlab.worker/1")
        pool = str(pathlib.Path(folder) / f"{algorithm}-{operation}.pool")
        self.ask(do="inputs", algorithm=algorithm, seed="00" * 32, keys=1, items=1, size=size, path=pool)
        self.ask(do="prepare", algorithm=algorithm, operation=operation, params={}, pool=pool)
        self.count = self.ask(do="calibrate", target_ns=20e6, max_ns=200e6)["count"]
        self.first = 0

    def ask(self, **request):
        self.id += 1
        self.process.stdin.write(json.dumps({"id": self.id, **request}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            sys.exit(f"worker: {answer['error']}")
        return answer["ok"]

    def ns(self, seconds):
        """Mean time of an operation over about `seconds`."""
        elapsed = operations = 0
        while elapsed < seconds * 1e9:
            for epoch in self.ask(do="epoch", first=self.first, count=self.count)["epochs"]:
                elapsed += epoch["elapsed_ns"]
                operations += epoch["count"]
            self.first += self.count
        return elapsed / operations


def speed(openssl, unit, seconds):
    """Nanoseconds per operation of each figure of one `openssl speed` call."""
    arguments, pattern, figures = unit
    command = [openssl, "speed", "-elapsed", "-seconds", str(seconds), *arguments]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    row = re.search(pattern, out)
    if not row:
        sys.exit(f"no row in the output of {' '.join(map(str, command))}:\n{out}")
    # A hash table is in thousands of bytes per second.
    return [1e9 * (size / 1000 if operation == "hash" else 1) / float(row.group(column))
            for _, operation, size, column in figures]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    caches = sorted(pathlib.Path.home().glob(".cache/pqlab/bundles/openssl-3.5*"))
    parser.add_argument("--bundle", type=pathlib.Path, default=caches[0] if caches else None)
    parser.add_argument("--pqlab", default=str(ROOT / "target/release/pqlab"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    if not options.bundle:
        sys.exit("no OpenSSL bundle: pqlab bundle build openssl@3.5.5")
    openssl = options.bundle / "bin/openssl"
    library = (options.bundle / "lib/libcrypto.so.3").resolve()
    loaded = subprocess.run(["ldd", openssl], capture_output=True, text=True).stdout
    if str(library) not in loaded and "lib/libcrypto.so.3" not in loaded:
        sys.exit(f"{openssl} does not load {library}: it would measure other code")
    pairs = {}
    with tempfile.TemporaryDirectory() as folder:
        for unit in UNITS:
            workers = [Worker(options.pqlab, library, a, o, s, folder) for a, o, s, _ in unit[2]]
            for _ in range(options.rounds):
                turns = ["speed", "ours"]
                random.shuffle(turns)
                times = {}
                for turn in turns:
                    if turn == "speed":
                        times[turn] = speed(openssl, unit, options.seconds)
                    else:
                        times[turn] = [worker.ns(options.seconds) for worker in workers]
                for figure, ours, theirs in zip(unit[2], times["ours"], times["speed"]):
                    pairs.setdefault(f"{figure[0]} {figure[1]}", []).append((ours, theirs))
            for worker in workers:
                worker.process.kill()
    rows = {}
    print(f"{'operation':24} {'pqlab':>10} {'speed':>10}  ratio  (rounds)")
    for name, seen in pairs.items():
        ratios = [ours / theirs for ours, theirs in seen]
        rows[name] = statistics.median(ratios)
        ours, theirs = (statistics.median(column) / 1000 for column in zip(*seen))
        spread = " ".join(f"{ratio:.3f}" for ratio in sorted(ratios))
        print(f"{name:24} {ours:7.2f} µs {theirs:7.2f} µs  {rows[name]:.3f}  ({spread})")
    middle = statistics.median(rows.values())
    out = [name for name, ratio in rows.items() if not 0.95 <= ratio <= 1.05]
    print(f"{len(rows)} operations, median ratio {middle:.3f}; outside 0.95-1.05: {', '.join(out) or 'none'}")
    if options.json:
        options.json.write_text(json.dumps({"median": middle, "ratios": rows}, indent=1) + "\n")
    sys.exit(0 if len(rows) >= 12 and 0.98 <= middle <= 1.02 and not out else 1)


if __name__ == "__main__":
    main()
