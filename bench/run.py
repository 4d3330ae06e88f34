"""Runs the benchmarks and writes docs/benchmarks.md: `run.py [room]`.

Each `bench_ROOM.py` beside this file has a function `rows()` that yields `Row`s. The figures of
rooms that are not run again are kept.
"""

from __future__ import annotations

import importlib
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from harness import Row

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.json"
TABLE = HERE.parent / "docs" / "benchmarks.md"


def main() -> None:
    rooms = sys.argv[1:] or sorted(p.stem.removeprefix("bench_") for p in HERE.glob("bench_*.py"))
    results: dict[str, list[Row]] = {}
    if RESULTS.exists():
        results = msgspec.json.decode(RESULTS.read_bytes(), type=dict[str, list[Row]])
    for room in rooms:
        rows = []
        for row in importlib.import_module(f"bench_{room}").rows():
            print(f"{room}: {_line(row)}", flush=True)
            rows.append(row)
        results[room] = rows
        RESULTS.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")
    TABLE.write_text(_table(results), encoding="utf-8")


def _table(results: dict[str, list[Row]]) -> str:
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench`. Times are the best of several runs, memory is peak RSS, and a",
        "peer's figure is from the same run on the same machine.",
        "",
        f"Last run {datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, "
        f"{platform.system()} {platform.machine()}.",
    ]
    for room, rows in sorted(results.items()):
        lines += ["", f"## {room}", "", "| what | ours | target | peer |", "|---|---|---|---|"]
        lines += [f"| {_line(row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def _line(row: Row) -> str:
    peer = f"{row.peer} {_figure(row.theirs, row.unit)}" if row.theirs is not None else row.peer
    return f"{row.what} | {_figure(row.ours, row.unit)} | {row.target} | {peer}"


def _figure(value: float, unit: str) -> str:
    return f"{value:,.0f} {unit}" if value >= 1000 else f"{value:.3g} {unit}"


if __name__ == "__main__":
    main()
