#!/usr/bin/env python3
"""Puts the table and the picture of a real run into README.md.

    scripts/readme_table.py RUN_DIR [--chart kem] [--readme README.md]

Between `<!-- quick-table:begin -->` and `<!-- quick-table:end -->` it writes the KEM and ML-DSA rows of RUN_DIR/run.json:
median in microseconds with its 95 % interval, one column for each provider that was measured. Bold as in the reports: the
interval of the median lies below those of all others. After `<!-- quick-picture -->` it puts RUN_DIR/charts/CHART.png,
copied to docs/img/quick.png. Figures are taken from the run as they are; nothing is computed but the unit.
"""
import argparse
import json
import pathlib
import shlex
import shutil
import sys

BEGIN, END, PICTURE = "<!-- quick-table:begin -->", "<!-- quick-table:end -->", "<!-- quick-picture -->"
ABSENT = "–"


class Refused(Exception):
    """What was wrong, and what helps."""

    def __init__(self, what, hint):
        super().__init__(f"{what}\n  hint: {hint}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=pathlib.Path, help="run directory of a finished release run")
    parser.add_argument("--chart", default="kem", help="which of RUN_DIR/charts/*.png (default: kem)")
    parser.add_argument("--readme", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / "README.md")
    parser.add_argument("--any-build", action="store_true", help="take a debug or unfinished run too, for trying this script")
    return parser.parse_args()


def load(directory, any_build):
    try:
        run = json.loads((directory / "run.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Refused(f"cannot read {directory / 'run.json'}: {error}", "give the directory that `pqlab run` made") from error
    if run.get("schema") != "pqlab.run/1":
        raise Refused(f"schema {run.get('schema')!r} is not pqlab.run/1", "use the script of the version that made the run")
    if not any_build:
        if not run["finished_at"]:
            raise Refused("the run did not finish", "measure again")
        if any(warning["code"] == "debug-build" for warning in run["warnings"]):
            raise Refused("the run is of a debug build", "measure with `make run`")
    return run


def shown(row):
    return row["mode"] == "throughput" and (row["family"] == "kem" or row["algorithm"].startswith("ML-DSA-"))


def number(ns):
    """Microseconds, four significant digits."""
    microseconds = ns / 1000
    before_point = len(str(int(microseconds))) if microseconds >= 1 else 0
    return f"{microseconds:.{max(0, 4 - before_point)}f}"


def fastest(rows):
    """The provider whose interval lies below the interval of every other one; none when there is no such provider."""
    measured = [row for row in rows if row["status"] == "ok"]
    if len(measured) < 2 or any(row["ci95_ns"] is None for row in measured):
        return None
    best = min(measured, key=lambda row: row["median_ns"])
    others = [row for row in measured if row is not best]
    return best["provider"] if all(best["ci95_ns"][1] < row["ci95_ns"][0] for row in others) else None


def cell(row, is_fastest):
    if row is None or row["status"] == "unavailable":
        return ABSENT
    if row["status"] != "ok":
        return row["status"]
    median = number(row["median_ns"])
    median = f"**{median}**" if is_fastest else median
    if row["ci95_ns"] is None:
        return median
    low, high = map(number, row["ci95_ns"])
    return f"{median}<br><sub>{low} … {high}</sub>"


def table(run):
    rows = [row for row in run["rows"] if shown(row)]
    providers = [p["id"] for p in run["providers"]]
    providers = [p for p in providers if any(row["provider"] == p and row["status"] == "ok" for row in rows)]
    if not providers:
        raise Refused("the run has no measured KEM or ML-DSA row", "take a run of the plan `quick`")
    groups = {}
    for row in rows:
        groups.setdefault((row["algorithm"], row["operation"]), {})[row["provider"]] = row
    lines = ["| µs per operation | | " + " | ".join(providers) + " |", "|---|---|" + "---:|" * len(providers)]
    last = None
    for (algorithm, operation), of in groups.items():
        bold = fastest(list(of.values()))
        cells = [cell(of.get(provider), provider == bold) for provider in providers]
        lines.append(f"| {algorithm if algorithm != last else ''} | {operation} | " + " | ".join(cells) + " |")
        last = algorithm
    return lines


def caption(run):
    host, settings = run["host"], run["plan"]["settings"]
    failed = any(shown(row) and row["status"] == "failed" for row in run["rows"])
    words = [pathlib.PurePath(run["command"][0]).name, *run["command"][1:]]
    machine = f"{host['cpu']}, {host['cores']} cores, {host['os']}, Linux {host['kernel']}"
    if host["virtualised"]:
        machine += f", virtual machine ({host['virtualised']})"
    return (
        f"`{shlex.join(words)}`, {run['started_at'][:10]}, pqlab {run['tool_version']}, {machine}; host grade {host['grade']}. "
        f"Median over {settings['processes']} processes and its 95 % interval; bold: the interval lies below all others of the "
        f"row; {ABSENT}: not offered by that library"
        + ("; failed: not measured, because it did not conform or broke down." if failed else ".")
    )


def between(text, begin, end, lines):
    head, found, rest = text.partition(begin)
    _, closed, tail = rest.partition(end)
    if not found or not closed:
        raise Refused(f"the README has no {begin} … {end}", "put both markers on lines of their own")
    return f"{head}{begin}\n" + "\n".join(lines) + f"\n{end}{tail}"


def with_picture(text, image, alternative):
    lines = text.splitlines()
    if PICTURE not in lines:
        raise Refused(f"the README has no line {PICTURE}", "put the marker on a line of its own")
    at = lines.index(PICTURE) + 1
    if at < len(lines) and lines[at].startswith("!["):
        del lines[at]
    lines.insert(at, f"![{alternative}]({image})")
    return "\n".join(lines) + "\n"


def main():
    given = arguments()
    run = load(given.run, given.any_build)
    text = given.readme.read_text(encoding="utf-8")
    text = between(text, BEGIN, END, ["", *table(run), "", caption(run), ""])
    chart = given.run / "charts" / f"{given.chart}.png"
    if not chart.is_file():
        known = ", ".join(sorted(path.stem for path in chart.parent.glob("*.png"))) or "none"
        raise Refused(f"the run has no chart {given.chart}", f"--chart with one of: {known}")
    text = with_picture(text, "docs/img/quick.png", f"Chart {given.chart} of the same run: median time per operation and provider")
    image = given.readme.parent / "docs" / "img" / "quick.png"
    image.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(chart, image)
    given.readme.write_text(text, encoding="utf-8")
    print(f"{given.readme}\n{image}")


if __name__ == "__main__":
    try:
        main()
    except (Refused, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
