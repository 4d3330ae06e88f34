"""The page of the reproduction: its fields are rows that exist, and take what was measured."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from conftest import ROOT

TEMPLATE = ROOT / "reproduce" / "reproduction.md"


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "reproduce")
    module: ModuleType = pytest.importorskip("page")
    return module


def results(page: ModuleType, path: Path, *measured: tuple[str, dict[str, Any]]) -> Any:
    found = page.Results(path)
    rows = {row.name: row for row in page.tuning_sets.rows()}
    for name, figures in measured:
        found.add(rows[name], figures)
    return page.Results(path)


def test_fields_take_what_was_measured(page: ModuleType, tmp_path: Path) -> None:
    figures = {"features": 12345, "bleu": {"MT04": 30.126}}
    found = results(page, tmp_path / "r.jsonl", ("online, PT, MT06", figures))
    text = (
        "{{features:,.0f @ online, PT, MT06}} {{bleu.MT04 @ online, PT, MT06}} "
        "{{bleu.MT09 @ online, PT, MT06}} {{both @ overlap::MT04 and MT06}} {{table features}}"
    )
    filled = page.filled(text, page.measured(found), lambda name: f"<{name}>")
    assert filled == "12,345 30.13 – – <features>"


def test_every_field_of_the_page_is_a_figure_of_a_row(page: ModuleType, tmp_path: Path) -> None:
    lookup = page.measured(results(page, tmp_path / "r.jsonl"))
    text = page.filled(TEMPLATE.read_text(encoding="utf-8"), lookup, lambda _: "")
    assert "{{" not in text
    assert "| dense | MERT | MT06 | 19 | 51.42 | 48.44 | 19 | 34.26 | – | – | – |" in text
    with pytest.raises(SystemExit, match="no row of tuning_sets"):
        page.filled("{{a @ online, XY, MT06}}", lookup, str)


def test_tables_of_others_are_taken_in_with_their_text(page: ModuleType, tmp_path: Path) -> None:
    assert page.tables(tmp_path / "none.md", "none") == "Not yet measured."
    (tmp_path / "some.md").write_text("# Some\n\nText, [more](b.md).\n\n## data\n\n| a |\n")
    taken = page.tables(tmp_path / "some.md", "some")
    assert taken.startswith("Text, [more](results/b.md).\n\n**data**\n\n| a |\n")
    assert "results/some.md" in taken


def test_rows_have_keys_of_their_own(page: ModuleType) -> None:
    rows = list(page.tuning_sets.rows())
    assert (
        len({row.key for row in rows}) == len({(row.data, row.name) for row in rows}) == len(rows)
    )
