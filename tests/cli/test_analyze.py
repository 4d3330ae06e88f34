"""`miriam analyze`: on made-up weights, outputs and runs whose figures are known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from conftest import Miriam
from miriam.analysis.references import METRICS, reference_scores
from miriam.features.weights import write_weights
from miriam.metrics import BleuPlusOne
from oracles.metrics import bleu_plus_one
from toy_model import write_text
from toy_run import write_run

AMERICAN = {"PT:b>program": 0.5, "PT:b-n>program-of": 0.25, "PT:n>of": -0.5, "PT:z>it": 0, "LM": 1}
BRITISH = {"PT:b>programme": 0.25, "PT:h-b>this-programme": 0.5, "PT:n>of": -0.125, "LM": 0.5}


@pytest.fixture
def weights(tmp_path: Path) -> tuple[Path, Path]:
    """A file of weights, and a folder with one."""
    write_weights(tmp_path / "american", AMERICAN)
    (tmp_path / "british").mkdir()
    write_weights(tmp_path / "british" / "weights.txt", BRITISH)
    return tmp_path / "american", tmp_path / "british"


def test_overlap(miriam: Miriam, weights: tuple[Path, Path]) -> None:
    (row,) = json.loads(miriam("analyze", "overlap", *weights, "--json").stdout)
    assert [row[key] for key in ("a", "b", "both", "same_sign")] == [3, 3, 1, 1]
    assert [row[key] for key in ("words_a", "words_b", "words_both")] == [4 / 3, 4 / 3, 1]
    assert row["heaviest"] == [{"name": "PT:n>of", "first": -0.5, "second": -0.125}]
    shown = miriam("analyze", "overlap", *weights).stdout
    assert "PT:n>of" in shown
    assert "-0.1250" in shown


def test_overlap_of_three_is_of_all_pairs(miriam: Miriam, weights: tuple[Path, Path]) -> None:
    third = weights[0].with_name("third")
    write_weights(third, {"PT:b>program": 1.0})
    rows = json.loads(miriam("analyze", "overlap", *weights, third, "--json").stdout)
    assert [row["both"] for row in rows] == [1, 1, 0]


def test_overlap_of_wrong_things(miriam: Miriam, weights: tuple[Path, Path]) -> None:
    assert "two different" in miriam.fails(2, "analyze", "overlap", weights[0], weights[0])
    said = miriam.fails(2, "analyze", "overlap", *weights, "--template", "XY")
    assert "--template XY: no feature of it has a weight; there are PT, dense" in said
    weights[0].write_text("PT:a>b half\n")
    assert "line 1" in miriam.fails(1, "analyze", "overlap", *weights)
    missing = weights[0].parent / "x"
    assert "no such file" in miriam.fails(1, "analyze", "overlap", weights[1], missing)


def test_domains(miriam: Miriam, weights: tuple[Path, Path], tmp_path: Path) -> None:
    for name, lines in {"us.0": ["the program of it", "a program"], "us.1": ["program", ""],
                        "uk": ["this programme , a programme", "the program"]}.items():  # fmt: skip
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    call = ["analyze", "domains", "--texts", tmp_path / "us", tmp_path / "uk", "--weights",
            *weights, "--terms", "program", "programme", "program of"]  # fmt: skip
    found = json.loads(miriam(*call, "--json").stdout)
    counted = {row["term"]: (row["tokens"], row["rules"]) for row in found["terms"]}
    assert counted == {
        "program": ([3, 1], [2, 0]), "programme": ([0, 2], [0, 2]), "program of": ([1, 0], [1, 0])
    }  # fmt: skip
    assert found["preferences"] == [
        {"source": "b", "targets": ["program", "programme"], "weights": [0.5, 0.25]}
    ]
    assert "programme +0.250" in miriam(*call).stdout
    said = miriam.fails(2, *call[:5], "--weights", weights[0])
    assert "--texts has 2 values and --weights 1" in said


def jsonl(path: Path, rows: list[tuple[str, str, str]]) -> Path:
    keys = ("source_tokens", "translation", "alignment")
    path.write_text("".join(json.dumps(dict(zip(keys, row, strict=True))) + "\n" for row in rows))
    return path


@pytest.fixture
def outputs(tmp_path: Path) -> tuple[Path, Path]:
    """Two systems: one sentence the same, one in another order, one without its verb."""
    first = [("qal huw .", "he said .", "0-1 1-0 2-2"), ("qal huw .", "said he .", "0-0 1-1 2-2"),
             ("qal huw .", "he .", "1-0 2-1"), ("huw qal", "said he", "0-1 1-0"),
             ("qal , a b", "said , a b", "0-0 1-1 2-2 3-3")]  # fmt: skip
    second = [("qal huw .", "he said .", "0-1 1-0 2-2"), ("qal huw .", "he said .", "0-1 1-0 2-2"),
              ("qal huw .", "he said .", "0-1 1-0 2-2"), ("huw qal", "he said", "0-0 1-1"),
              ("qal , a b", "said , b a", "0-0 1-1 2-3 3-2")]  # fmt: skip
    return jsonl(tmp_path / "first", first), jsonl(tmp_path / "second", second)


def test_reordering(miriam: Miriam, outputs: tuple[Path, Path], tmp_path: Path) -> None:
    table = tmp_path / "order.tsv"
    reference = tmp_path / "reference"
    reference.write_text("he said .\n" * 5)
    call = ["analyze", "reordering", *outputs, "--out", table, "--references", reference]
    found = json.loads(miriam(*call, "--json", "--begins", "qal").stdout)
    assert found == {"sentences": 5, "chosen": 4, "different": 2, "lines": [2, 3]}
    rows = [line.split("\t") for line in table.read_text().splitlines()]
    assert rows[1] == ["2", "order: qal … huw", "qal huw .", "said he .", "he said .",
                       "he said .", ""]  # fmt: skip
    assert rows[2][1] == "only one translates: qal"
    assert miriam(*call).stdout.startswith("3 have their main clause")  # line 4 too

    judged = table.with_name("judged.tsv")
    rows = [line.split("\t") for line in table.read_text().splitlines()]
    verdicts = ["verdict", "second", "Neither", ""]
    judged.write_text("".join(
        "\t".join([*row[:-1], verdict]) + "\n" for row, verdict in zip(rows, verdicts, strict=True)
    ))  # fmt: skip
    counted = json.loads(miriam("analyze", "reordering", "--judged", judged, "--json").stdout)
    assert counted == {"first": 0, "second": 1, "both": 0, "neither": 1, "not_judged": 1}
    shown = miriam("analyze", "reordering", "--judged", judged).stdout
    assert "50.0%" in shown
    assert "1 not judged yet" in shown


def test_reordering_of_wrong_things(
    miriam: Miriam, outputs: tuple[Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "order.tsv"
    assert "give FIRST, SECOND and --out" in miriam.fails(2, "analyze", "reordering", *outputs)
    text = tmp_path / "text"
    text.write_text("he said .\n")
    said = miriam.fails(1, "analyze", "reordering", text, outputs[1], "--out", out)
    assert "line 1" in said
    assert "--format jsonl" in said
    text.write_text(outputs[0].read_text().splitlines()[0] + "\n")
    said = miriam.fails(1, "analyze", "reordering", *outputs, "--out", out, "--references", text)
    assert "1 lines for 5 sentences" in said
    assert "has 1" in miriam.fails(1, "analyze", "reordering", text, outputs[1], "--out", out)
    assert not out.exists()
    out.write_text("1\tw\ts\ta\tb\tr\tperhaps\n")
    assert "verdict 'perhaps'" in miriam.fails(1, "analyze", "reordering", "--judged", out)
    out.write_text("1\tw\n")
    assert "2 columns" in miriam.fails(1, "analyze", "reordering", "--judged", out)


def test_reordering_of_what_translate_writes(miriam: Miriam, tmp_path: Path) -> None:
    files = write_text(tmp_path)
    assert miriam("train", "--source", files[0], "--target", files[1], "--out",
                  tmp_path / "m").returncode == 0  # fmt: skip
    result = miriam("translate", "--model", tmp_path / "m", "--format", "jsonl",
                    stdin="Der Hund malt einen Baum.\n\n")  # fmt: skip
    record = json.loads(result.stdout.splitlines()[0])
    links = [tuple(map(int, link.split("-"))) for link in record["alignment"].split()]
    source, target = record["source_tokens"].split(), record["tokens"].split()
    assert (source.index("Baum"), target.index("tree")) in links
    (tmp_path / "out").write_text(result.stdout)
    result = miriam("analyze", "reordering", tmp_path / "out", tmp_path / "out", "--out",
                    tmp_path / "t")  # fmt: skip
    assert result.stdout.startswith("0 have their main clause in another order")


REFERENCES = [["a dog runs away .", "he is here ."], ["the dog ran off .", "he is here ."]]
HYPOTHESES = ["the dog runs away .", "he is here ."]


def oracle(hypothesis: str, references: Sequence[str], metric: BleuPlusOne) -> float:
    return 100 * bleu_plus_one(
        hypothesis.split(), [r.split() for r in references], shortest=False, scale=False,
        smooth_unigrams=metric.smooth_unigrams, smooth_length=metric.smooth_length,
    )  # fmt: skip


def test_references_by_the_oracle(miriam: Miriam, tmp_path: Path) -> None:
    for name, lines in {"h": HYPOTHESES, "r.0": REFERENCES[0], "r.1": REFERENCES[1]}.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    call = ["analyze", "references", "--hypothesis", tmp_path / "h", "--references", tmp_path / "r",
            "--tokens"]  # fmt: skip
    found = json.loads(miriam(*call, "--json").stdout)
    for name, metric in METRICS.items():
        single = [
            [oracle(h, [r], metric) for h, r in zip(HYPOTHESES, column, strict=True)]
            for column in REFERENCES
        ]
        rows = zip(*REFERENCES, strict=True)
        both = [oracle(h, row, metric) for h, row in zip(HYPOTHESES, rows, strict=True)]
        assert np.allclose(found[name]["lowest"], np.min(single, axis=0))
        assert np.allclose(found[name]["highest"], np.max(single, axis=0))
        assert np.allclose(found[name]["all"], both)
        spread = np.ptp(single, axis=0)
        assert np.allclose(found[name]["spread"]["mean"], spread.mean())
        assert np.allclose(found[name]["spread"]["deviation"], spread.std(ddof=1))
    assert found["Nakov's BLEU+1"]["spread"]["mean"] < found["BLEU+1"]["spread"]["mean"]


def test_references_are_drawn(miriam: Miriam, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for name, lines in {"h": HYPOTHESES, "r.0": REFERENCES[0], "r.1": REFERENCES[1]}.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    result = miriam("analyze", "references", "--hypothesis", tmp_path / "h", "--references",
                    tmp_path / "r", "--out", tmp_path / "p", "--format", "svg")  # fmt: skip
    assert result.returncode == 0, result.stderr
    names = {path.name for path in (tmp_path / "p").iterdir()}
    assert names == {"references-bleu-plus-1.svg", "references-nakov.svg"}


def test_references_of_wrong_things(miriam: Miriam, tmp_path: Path) -> None:
    one = tmp_path / "one"
    one.write_text("a dog\n")
    call = ["analyze", "references", "--hypothesis", one, "--references", one]
    assert "give two or more" in miriam.fails(2, *call)
    said = miriam.fails(2, *call, one, "--tokenize", "13")
    assert "--tokenize '13': not known; did you mean '13a'" in said or "13a" in said


def test_one_sentence_has_no_deviation() -> None:
    scores = reference_scores(["a"], [["a"], ["b"]], METRICS["BLEU+1"])
    assert scores.spread[1] == 0.0


def test_runtime(miriam: Miriam, tmp_path: Path) -> None:
    run = write_run(tmp_path / "m" / "runs" / "tune", {"LM": 1.0})
    (row,) = json.loads(miriam("analyze", "runtime", tmp_path / "m", "--json").stdout)
    assert row["name"] == "tune"
    assert [row[key] for key in ("epochs", "best", "near", "features")] == [3, 2, 2, 205]
    assert row["seconds"] == 2.0
    assert row["split"] == {"decoding": 1.5, "learning": 0.5, "development": 0.5}
    shown = miriam("analyze", "runtime", run).stdout
    assert "decoding" in shown
    assert "1.50" in shown
    assert "no run of tuning" in miriam.fails(1, "analyze", "runtime", tmp_path)
