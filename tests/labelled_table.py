"""A rule table with domains, made from one without."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from miriam.container import ContainerWriter, open_container
from miriam.rules.table import TABLE_NAME, RuleTable
from miriam.rules.write import KIND, VERSION
from miriam.search.tables import Tables


def label(
    folder: Path, out: Path, names: Sequence[str], rules: Mapping[tuple[str, str], Sequence[str]]
) -> RuleTable:
    """The table in a folder with these domains of its rules, written to another folder."""
    table = RuleTable.open(folder)
    bits = np.zeros(len(table), np.uint64)
    for (source, target), domains in rules.items():
        row = Tables({"TM": table}).find(source.split(), target.split())
        bits[row] = sum(1 << names.index(domain) for domain in domains)
    old = open_container(folder / TABLE_NAME, kind=KIND, version=VERSION)
    metadata = {k: v for k, v in old.metadata.items() if k not in ("kind", "version", "build")}
    metadata["domains"] = json.dumps(list(names))
    out.mkdir(exist_ok=True)
    with ContainerWriter(out / TABLE_NAME, kind=KIND, version=VERSION, metadata=metadata) as writer:
        for name, array in old.arrays.items():
            writer.add(name, array)
        writer.add("rule.domains", bits)
    return RuleTable.open(out)
