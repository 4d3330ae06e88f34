"""Every feature template on a derivation made by hand: name by name, value by value."""

from __future__ import annotations

import typing
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest

from labelled_table import label
from miriam.errors import ConfigError, InputError
from miriam.features.settings import SETS, AnyTemplate, FeatureSettings, FunctionWords
from miriam.lm import Estimation, estimate
from miriam.rules.moses_import import import_moses
from miriam.search import Decoder, SearchSettings, Sentence

# Counts are those of both sides together; a cut-off of 50 asks for more than 50.
TABLE = """\
das haus ||| the house ||| 1 1 ||| 0-0 1-1 ||| 60 60 60
ist ||| is ||| 1 1 ||| 0-0 ||| 10 10 10
ja , ||| , ||| 1 1 ||| 1-0 ||| 50 50 50
nicht mehr ||| no longer a ||| 1 1 ||| 0-0 0-1 1-1 ||| 51 51 51
"""
SOURCE = "ja , das haus ist nicht mehr"
DERIVATION = [(0, 2, ","), (4, 5, "is"), (2, 4, "the house"), (5, 7, "no longer a")]
SOURCE_CLASSES = {"ja": 5, ",": 0, "das": 1, "haus": 2, "ist": 3, "nicht": 4, "mehr": 4}
TARGET_CLASSES = {"a": 1, "the": 1, ",": 0, "house": 2, "is": 3, "no": 4, "longer": 4}
DOMAINS = {("das haus", "the house"): ["law", "news"], ("ist", "is"): ["law"],
           ("nicht mehr", "no longer a"): ["news"]}  # fmt: skip
WORDS = FunctionWords(source=("das", "ist"), target=("the", "is", "a"))

EXPECTED: list[tuple[dict[str, object], dict[str, float]]] = [
    (
        {"kind": "rule-indicator"},
        {"PT:ja-%2C>%2C": 1, "PT:ist>is": 1, "PT:das-haus>the-house": 1,
         "PT:nicht-mehr>no-longer-a": 1},
    ),
    (
        {"kind": "rule-indicator", "cutoff": 50},
        {"PT:das-haus>the-house": 1, "PT:nicht-mehr>no-longer-a": 1},
    ),
    (
        {"kind": "rule-indicator", "by": "classes"},
        {"PTC:5-0>0": 1, "PTC:3>3": 1, "PTC:1-2>1-2": 1, "PTC:4-4>4-4-1": 1},
    ),
    (
        {"kind": "alignment"},
        {"ALN:%2C>%2C": 1, "ALN:ist>is": 1, "ALN:das>the": 1, "ALN:haus>house": 1,
         "ALN:mehr-nicht>longer-no": 1},
    ),
    (
        {"kind": "alignment", "cutoff": 50},
        {"ALN:das>the": 1, "ALN:haus>house": 1, "ALN:mehr-nicht>longer-no": 1},
    ),
    (
        {"kind": "alignment", "by": "classes"},
        {"ALNC:0>0": 1, "ALNC:3>3": 1, "ALNC:1>1": 1, "ALNC:2>2": 1, "ALNC:4>4": 1},
    ),
    ({"kind": "source-deletion"}, {"ALNS:ja": 1}),
    ({"kind": "source-deletion", "by": "classes"}, {"ALNSC:5": 1}),
    ({"kind": "target-insertion"}, {"ALNT:a": 1}),
    ({"kind": "target-insertion", "by": "classes"}, {"ALNTC:1": 1}),
    (
        {"kind": "target-unigram"},
        {"TGTCLS:0": 1, "TGTCLS:1": 2, "TGTCLS:2": 1, "TGTCLS:3": 1, "TGTCLS:4": 2},
    ),
    (
        {"kind": "target-unigram", "by": "words"},
        {"TGT:%2C": 1, "TGT:is": 1, "TGT:the": 1, "TGT:house": 1, "TGT:no": 1, "TGT:longer": 1,
         "TGT:a": 1},
    ),
    (
        {"kind": "target-bigram"},
        {"NGR:<s>-%2C": 1, "NGR:%2C-is": 1, "NGR:is-the": 1, "NGR:the-house": 1,
         "NGR:house-no": 1, "NGR:no-longer": 1, "NGR:longer-a": 1, "NGR:a-</s>": 1},
    ),
    (
        {"kind": "target-bigram", "by": "classes"},
        {"NGRC:<s>-0": 1, "NGRC:0-3": 1, "NGRC:3-1": 1, "NGRC:1-2": 1, "NGRC:2-4": 1,
         "NGRC:4-4": 1, "NGRC:4-1": 1, "NGRC:1-</s>": 1},
    ),
    (
        {"kind": "target-boundary"},
        {"TGTCBND:<s>-0": 1, "TGTCBND:0-3": 1, "TGTCBND:3-1": 1, "TGTCBND:2-4": 1,
         "TGTCBND:1-</s>": 1},
    ),
    (
        {"kind": "target-boundary", "by": "words"},
        {"TGTBND:<s>-%2C": 1, "TGTBND:%2C-is": 1, "TGTBND:is-the": 1, "TGTBND:house-no": 1,
         "TGTBND:a-</s>": 1},
    ),
    ({"kind": "rule-dimension", "side": "source"}, {"SRCD:1": 1, "SRCD:2": 3}),
    ({"kind": "rule-dimension", "side": "target"}, {"TGTD:1": 2, "TGTD:2": 1, "TGTD:3": 1}),
    (
        {"kind": "rule-dimension", "side": "both"},
        {"RSHP:2-1": 1, "RSHP:1-1": 1, "RSHP:2-2": 1, "RSHP:2-3": 1},
    ),
    (
        {"kind": "alignment-constellation"},
        {"ACON:1.0": 1, "ACON:0.0": 1, "ACON:0.0-1.1": 1, "ACON:0.0-0.1-1.1": 1},
    ),
    (
        {"kind": "word-pair"},
        {"WP:%2C>%2C": 1, "WP:ist>is": 1, "WP:das>the": 1, "WP:haus>house": 1, "WP:nicht>no": 1,
         "WP:nicht>longer": 1, "WP:mehr>longer": 1, "WPS:ja-%2C>%2C": 1, "WPS:das-haus>house": 1,
         "WPS:nicht-mehr>longer": 1, "WPT:haus>the-house": 1, "WPT:nicht>no-longer": 1,
         "WPT:mehr>no-longer": 1},
    ),
    (
        {"kind": "word-pair", "context": False},
        {"WP:%2C>%2C": 1, "WP:ist>is": 1, "WP:das>the": 1, "WP:haus>house": 1, "WP:nicht>no": 1,
         "WP:nicht>longer": 1, "WP:mehr>longer": 1},
    ),
    (
        {"kind": "signed-distortion"},  # jumps: 0, -2, 3, -1
        {"DDIST:0": 1, "DDIST:-2": 1, "DDIST:3": 1, "DDIST:-1": 1, "DDIST:neg": 2,
         "DDIST:pos": 1},
    ),
    ({"kind": "punctuation-ratio"}, {"PDIF": 1 / 1}),
    ({"kind": "function-word-ratio"}, {"TWFN": 3 / 2}),
    ({"kind": "in-domain-rule"}, {"DOM:inrule": 2}),  # the sentence is of law
    ({"kind": "adjacent-in-domain"}, {"DOM:adjrule": 1}),
    (
        {"kind": "rule-orientation", "cutoff": 50},  # monotone, right, swap, right
        {"LO:swapWithPrevious:das-haus>the-house": 1,
         "LO:nonMonotoneWithPrevious:das-haus>the-house": 1,
         "LO:discontinuousWithNext:das-haus>the-house": 1,
         "LO:nonMonotoneWithNext:das-haus>the-house": 1,
         "LO:discontinuousWithPrevious:nicht-mehr>no-longer-a": 1,
         "LO:nonMonotoneWithPrevious:nicht-mehr>no-longer-a": 1},
    ),
    (
        {"kind": "rule-orientation", "by": "classes"},
        {"LOC:monotoneWithPrevious:5-0>0": 1, "LOC:discontinuousWithNext:5-0>0": 1,
         "LOC:nonMonotoneWithNext:5-0>0": 1, "LOC:discontinuousWithPrevious:3>3": 1,
         "LOC:nonMonotoneWithPrevious:3>3": 1, "LOC:swapWithNext:3>3": 1,
         "LOC:nonMonotoneWithNext:3>3": 1, "LOC:swapWithPrevious:1-2>1-2": 1,
         "LOC:nonMonotoneWithPrevious:1-2>1-2": 1, "LOC:discontinuousWithNext:1-2>1-2": 1,
         "LOC:nonMonotoneWithNext:1-2>1-2": 1, "LOC:discontinuousWithPrevious:4-4>4-4-1": 1,
         "LOC:nonMonotoneWithPrevious:4-4>4-4-1": 1},
    ),
]  # fmt: skip


class Map:
    """A class map."""

    def __init__(self, classes: Mapping[str, int]) -> None:
        self.of_word = classes

    def classes(self, words: Sequence[str]) -> np.ndarray:
        return np.array([self.of_word.get(word, 9) for word in words], np.int32)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("templates")
    (folder / "table").write_text(TABLE)
    import_moses(folder / "table", folder, scores=["phi", "lex"])
    label(folder, folder / "labelled", ["law", "news"], DOMAINS)
    return folder / "labelled"


def decoder(folder: Path, settings: FeatureSettings) -> Decoder:
    from miriam.rules.table import RuleTable

    lm = estimate(["the house is no longer a house ,"], Estimation(order=2, threads=1)).model()
    maps = {"source_classes": Map(SOURCE_CLASSES), "target_classes": Map(TARGET_CLASSES)}
    return Decoder(RuleTable.open(folder), {"LM": lm}, feature_set=settings.build(**maps),
                   settings=SearchSettings(distortion_limit=None))  # fmt: skip


def features_of(
    decoder: Decoder,
    source: str,
    derivation: list[tuple[int, int, str]],
    domains: tuple[str, ...] = ("law",),
) -> dict[str, float]:
    weights = np.zeros(len(decoder.features))
    sentence = Sentence(tuple(source.split()), domains=domains)
    found = decoder.rescore([sentence], [[derivation]], weights)[0][0].features
    return {name: v for name, v in found.items() if name not in decoder.features.dense}


def settings(*templates: Mapping[str, object], **others: object) -> FeatureSettings:
    tree = {"templates": list(templates), "function_words": WORDS, **others}
    return msgspec.convert(msgspec.to_builtins(tree), FeatureSettings)


@pytest.mark.parametrize(("template", "expected"), EXPECTED, ids=lambda t: str(t)[:60])
def test_a_template_by_hand(
    folder: Path, template: Mapping[str, object], expected: Mapping[str, float]
) -> None:
    assert features_of(decoder(folder, settings(template)), SOURCE, DERIVATION) == expected


def test_every_template_is_here() -> None:
    kinds = {member.__struct_config__.tag for member in typing.get_args(AnyTemplate)}
    assert {template["kind"] for template, _ in EXPECTED} == kinds


@pytest.mark.parametrize("name", SETS)
def test_named_sets(folder: Path, name: str) -> None:
    by_template = {
        msgspec.convert(template, AnyTemplate): expected for template, expected in EXPECTED
    }
    expected = {k: v for template in SETS[name] for k, v in by_template_of(by_template, template)}
    if name == "domains":
        expected |= {
            f"AUG:law:{k}": v
            for k, v in expected.items()
            if k.split(":")[0] in ("PT", "ALN", "LO", "DOM")
        }
    assert features_of(decoder(folder, settings(set=name)), SOURCE, DERIVATION) == expected


def by_template_of(
    known: Mapping[AnyTemplate, dict[str, float]], template: AnyTemplate
) -> Iterable[tuple[str, float]]:
    return known[template].items() if template in known else known_orientations().items()


def known_orientations() -> dict[str, float]:
    """LO of all rules: as by classes, with the words of each."""
    rules = {"5-0>0": "ja-%2C>%2C", "3>3": "ist>is", "1-2>1-2": "das-haus>the-house",
             "4-4>4-4-1": "nicht-mehr>no-longer-a"}  # fmt: skip
    found = {}
    for name in EXPECTED[-1][1]:
        _, kind, rule = name.split(":")
        found[f"LO:{kind}:{rules[rule]}"] = 1.0
    return found


def test_copies_for_domains(folder: Path) -> None:
    templates: list[dict[str, object]] = [
        {"kind": "rule-indicator", "cutoff": 50},
        {"kind": "rule-orientation", "cutoff": 55},
        {"kind": "signed-distortion"},
        {"kind": "punctuation-ratio"},
        {"kind": "target-boundary"},
        {"kind": "in-domain-rule"},
        {"kind": "adjacent-in-domain"},
    ]
    every = decoder(folder, settings(*templates, augment=["*"], default_domain="talk"))
    assert every.domains == ["law", "news", "talk"]
    own: dict[str, float] = {}
    for template, fired in EXPECTED:
        own |= fired if template in templates else {}
    own |= {k: v for k, v in known_orientations().items() if k.endswith("das-haus>the-house")}
    for domains, inside, adjacent in (
        (("law",), 2, 1), (("news",), 2, 1), (("law", "news"), 3, 2), ((), 0, 0)
    ):  # fmt: skip
        found = features_of(every, SOURCE, DERIVATION, domains)
        plain = own | {"DOM:inrule": inside, "DOM:adjrule": adjacent}
        plain = {name: v for name, v in plain.items() if v}
        copies = {f"AUG:{d}:{k}": v for d in domains or ("talk",) for k, v in plain.items()}
        assert found == plain | copies
    some = decoder(folder, settings(*templates, augment=["DDIST"]))
    names = features_of(some, SOURCE, DERIVATION, ("news",))
    assert {n for n in names if n.startswith("AUG")} == {
        "AUG:news:DDIST:0", "AUG:news:DDIST:-2", "AUG:news:DDIST:3", "AUG:news:DDIST:-1",
        "AUG:news:DDIST:neg", "AUG:news:DDIST:pos",
    }  # fmt: skip
    numbers = [some.features.add(name) for name in names]
    assert [some.features.name(number) for number in numbers] == list(names)


def test_domains_that_cannot_be_are_refused(folder: Path) -> None:
    some = decoder(folder, settings(set="domains"))
    with pytest.raises(InputError, match=r"the model has no domain 'laws'; did you mean 'law'\?"):
        features_of(some, SOURCE, DERIVATION, ("laws",))
    with pytest.raises(ConfigError, match="no template makes features called 'PTX', so none can"):
        decoder(folder, settings(set="extended", augment=["PTX"]))
    with pytest.raises(ConfigError, match="the model has no feature 'AUG:laws:PT:ist>is'"):
        some.features.add("AUG:laws:PT:ist>is")
    with pytest.raises(ConfigError, match="the model has no feature 'AUG:law:PTC:3>3'"):
        some.features.add("AUG:law:PTC:3>3")
    with pytest.raises(ConfigError, match="need rules with domains; train with --domains"):
        decoder(folder.parent, settings(set="domains"))


def test_unknown_words_have_features_without_a_cutoff_only(folder: Path) -> None:
    derivation = [(0, 1, "hund"), (1, 2, "is")]
    every = decoder(folder, settings({"kind": "rule-indicator"}, {"kind": "alignment"}))
    assert features_of(every, "hund ist", derivation) == {
        "PT:hund>hund": 1, "PT:ist>is": 1, "ALN:hund>hund": 1, "ALN:ist>is": 1
    }  # fmt: skip
    some = decoder(folder, settings({"kind": "rule-indicator", "cutoff": 5}))
    assert features_of(some, "hund ist", derivation) == {"PT:ist>is": 1}


def test_ratios_without_a_denominator_are_absent(folder: Path) -> None:
    ratios = settings({"kind": "punctuation-ratio"}, {"kind": "function-word-ratio"})
    assert features_of(decoder(folder, ratios), "nicht mehr", [(0, 2, "no longer a")]) == {}


def test_what_is_missing_is_said(folder: Path) -> None:
    with pytest.raises(ConfigError, match="need word classes of both sides"):
        settings({"kind": "target-unigram"}).build()
    with pytest.raises(ConfigError, match="needs the function words of both sides"):
        settings({"kind": "function-word-ratio"}, function_words={}).build()
    twice = settings({"kind": "rule-indicator"}, {"kind": "rule-indicator", "cutoff": 1})
    with pytest.raises(ConfigError, match="two templates make features called PT"):
        decoder(folder, twice)


def test_only_frequent_rules_are_considered(tmp_path: Path) -> None:
    rows = [f"haus ||| w{i} ||| {p} ||| 0-0 ||| 1 {c} {c}"
            for i, (p, c) in enumerate([(0.5, 9), (0.1, 2), (0.4, 5)])]  # fmt: skip
    (tmp_path / "table").write_text("\n".join(rows) + "\n")
    import_moses(tmp_path / "table", tmp_path, scores=["phi"])
    found = {}
    for considered in (0, 1, 2):
        made = decoder(tmp_path, settings({"kind": "rule-indicator"}))
        made.settings = SearchSettings(considered=considered)
        weights = made.features.weights({"TM:phi": 1.0})
        found[considered] = {str(d) for d in made.decode(["haus"], weights, nbest=9)[0]}
    assert found == {0: {"w0", "w1", "w2"}, 1: {"w0"}, 2: {"w0", "w2"}}
    forced = made.rescore(["haus"], [[[(0, 1, "w1")]]], weights)[0][0]
    assert forced.features["PT:haus>w1"] == 1, "templates are asked about any rule that is given"
