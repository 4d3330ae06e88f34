"""Runs experiments and writes their tables: `python reproduce/run.py [EXPERIMENT …]`.

An experiment is a module of `experiments/` (protocol `rows.Experiment`):

    \"\"\"# A title

    What is compared, and how.
    \"\"\"
    from rows import Column
    from systems import MULTI30K, tuned_row

    COLUMNS = {"multi30k": (Column("BLEU", "bleu.test2016"), Column("CPU s", "cpu", ".0f"))}
    BASELINE = "MERT"  # p-values against it, or None

    def rows():
        for seed in (1, 2, 3):
            yield tuned_row(MULTI30K, "MERT", ["--algorithm", "mert"], seed=seed)

Every finished row is a line of `results/EXPERIMENT.jsonl` (figures only, committed), so a run that
was stopped goes on where it was. Models and hypotheses are kept in `models/`, or in the folder that
`MIRIAM_REPRODUCE_CACHE` names; the data are sought in `shared/` beside the repository, or in
`MIRIAM_SHARED`. The table goes to `docs/results/EXPERIMENT.md`.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from fnmatch import fnmatch
from pathlib import Path
from typing import cast

from rows import RESULTS, Experiment, Results
from tables import compare, write_page

HERE = Path(__file__).resolve().parent
PAGES = HERE.parent / "docs" / "results"


def main() -> None:
    known = sorted(p.stem for p in (HERE / "experiments").glob("[a-z]*.py"))
    parser = argparse.ArgumentParser(description="Run experiments and write their tables.")
    parser.add_argument("experiments", nargs="*", help=f"[default: all] {', '.join(known)}")
    parser.add_argument("--only", metavar="PATTERN", default="*",
                        help="rows whose DATA/NAME/SEED match, as in 'bible/MERT*/1'")  # fmt: skip
    parser.add_argument("--list", action="store_true", help="list the rows; * is done")
    parser.add_argument("--write", action="store_true", help="write the tables only")
    args = parser.parse_args()
    for name in args.experiments or known:
        if name not in known:
            sys.exit(f"no experiment {name!r}; there are {', '.join(known)}")
        run_experiment(name, args)


def run_experiment(name: str, args: argparse.Namespace) -> None:
    experiment = cast(Experiment, importlib.import_module(f"experiments.{name}"))
    results = Results(RESULTS / f"{name}.jsonl")
    for row in experiment.rows():
        title = f"{row.data}/{row.name}/{row.seed}"
        if not fnmatch(title, args.only):
            continue
        if args.list:
            print("*" if row in results else " ", title)
        elif row not in results and not args.write:
            print(f"{time.strftime('%H:%M:%S')} {name}: {title}", file=sys.stderr, flush=True)
            row.folder.mkdir(parents=True, exist_ok=True)
            results.add(row, row.measure(row.folder))
    if not args.list:
        compare(experiment, results)
        write_page(experiment, name, results, PAGES / f"{name}.md")


if __name__ == "__main__":
    main()
