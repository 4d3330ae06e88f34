"""`miriam import-moses`: small Moses models, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Miriam

INI = """
[distortion-limit]
0

[feature]
UnknownWordPenalty
WordPenalty
PhrasePenalty
PhraseDictionaryMemory name=TM0 num-features=4 path=phrases input-factor=0 output-factor=0
{more}
Distortion
KENLM name=LM0 factor=0 path=lm.arpa order=1

[weight]
WordPenalty0= -1
PhrasePenalty0= 0.2
TM0= 0.1 0.1 0.1 0.1
TM1= 0.2 0.2 0.2 0.2
Distortion0= 0.3
LM0= 0.5
R0= 1 2 3
"""
ARPA = """\\data\\
ngram 1=4

\\1-grams:
-1 <unk>
-99 <s>
-1 </s>
-1 dog

\\end\\
"""
SECOND = "PhraseDictionaryMemory name=TM1 num-features=4 path=more table-limit=5"
REORDERING = "LexicalReordering name=R0 type=wbe-msd-backward-f num-features=3 path=reordering"


def write_model(folder: Path, more: str = "", change: tuple[str, str] = ("", "")) -> Path:
    (folder / "phrases").write_text("hund ||| dog ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\n")
    (folder / "more").write_text("katze ||| cat ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\n")
    (folder / "reordering").write_text("hund ||| 0.5 0.25 0.25\n")
    (folder / "lm.arpa").write_text(ARPA)
    (folder / "moses.ini").write_text(INI.format(more=more).replace(*change))
    return folder / "moses.ini"


def weights(model: Path) -> dict[str, float]:
    lines = (model / "weights.txt").read_text().splitlines()
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_weights_and_settings_are_moses_own(miriam: Miriam, tmp_path: Path) -> None:
    result = miriam("import-moses", write_model(tmp_path, REORDERING), tmp_path / "m")
    assert result.returncode == 0, result.stderr
    found = weights(tmp_path / "m")
    assert found["UnknownWord"] == 100.0
    assert found["TM0:wbe-msd.previous.discontinuous"] == 3.0
    assert found["LM0"] == 0.5
    assert "distortion_limit = 0" in (tmp_path / "m" / "config.toml").read_text()
    assert miriam("translate", "--model", tmp_path / "m", stdin="hund x\n").stdout == "dog x\n"
    assert miriam("check", tmp_path / "m").returncode == 0


def test_several_phrase_tables(miriam: Miriam, tmp_path: Path) -> None:
    result = miriam("import-moses", write_model(tmp_path, SECOND), tmp_path / "m")
    assert result.returncode == 0, result.stderr
    translated = miriam("translate", "--model", tmp_path / "m", stdin="hund katze\n")
    assert translated.stdout == "dog cat\n", translated.stderr
    assert weights(tmp_path / "m")["TM1:phi(e|f)"] == 0.2


@pytest.mark.parametrize(
    ("more", "change", "message"),
    [
        ("OpSequenceModel path=x", ("", ""), "features of the kind OpSequenceModel cannot be"),
        ("PhraseDictionaryCompact path=x", ("", ""), "give the text table"),
        ("", ("path=phrases", "path=none"), "line 9: the file none is not there"),
        ("", ("LM0= 0.5", ""), "no weight for the feature LM0"),
        ("", ("LM0= 0.5", "LM0= 0.5 1"), "LM0 has 2 weights, and its table 1 scores"),
        ("", ("LM0= 0.5", "LM0= nan"), "the weight nan of LM0 is not a finite number"),
        ("", ("LM0= 0.5", "LM0= half"), "expected weights, found 'half'"),
        ("", ("[distortion-limit]", "[ttable-file]"), "the moses.ini of before 2013"),
        ("", ("[distortion-limit]", "[xml-input]"), "the section [xml-input] is not known"),
        ("", ("output-factor=0", "output-factor=1"), "TM0 has factors"),
        ("", ("factor=0 path=lm", "path=phrases order=1 x"), "phrases"),
        (SECOND.replace("TM1", "TM0"), ("", ""), "two features are called TM0"),
    ],
)
def test_what_cannot_be_imported(
    miriam: Miriam, tmp_path: Path, more: str, change: tuple[str, str], message: str
) -> None:
    ini = write_model(tmp_path, more, change)
    before = sorted(tmp_path.iterdir())
    result = miriam("import-moses", ini, tmp_path / "m")
    assert result.returncode == 1, result.stderr
    assert message in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr
    assert sorted(tmp_path.iterdir()) == before
