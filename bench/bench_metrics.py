"""How long it takes to score an n-best list: 200 candidates of 20 words, four references."""

from __future__ import annotations

import random
from collections.abc import Iterator

from sacrebleu import BLEU, CHRF

from harness import Row, best_seconds
from miriam.lexicon.vocabulary import Vocabulary
from miriam.metrics import BleuPlusOne, SentenceChrf, SentenceWer, words

CANDIDATES, REFERENCES, WORDS = 200, 4, 20
CHANGED = 6  # words in which a candidate differs from the reference it was made of


def texts() -> tuple[list[str], list[str]]:
    """Candidates and references: made-up words, a few of them frequent, as in a language."""
    rng = random.Random(1)
    lexicon = ["".join(rng.choices("aeiounrtsld", k=rng.randint(2, 8))) for _ in range(200)]
    frequency = [1 / (rank + 1) for rank in range(len(lexicon))]
    references = [rng.choices(lexicon, frequency, k=WORDS) for _ in range(REFERENCES)]
    candidates = []
    for i in range(CANDIDATES):
        candidate = list(references[i % REFERENCES])
        for position in rng.sample(range(WORDS), CHANGED):
            candidate[position] = rng.choice(references[rng.randrange(REFERENCES)])
        candidates.append(candidate)
    return [" ".join(c) for c in candidates], [" ".join(r) for r in references]


def rows() -> Iterator[Row]:
    candidates, references = texts()
    ids = Vocabulary()
    known, given = words(references, ids), words(candidates, ids)
    bleu, wer, chrf = BleuPlusOne().prepare(known), SentenceWer().prepare(known), SentenceChrf()
    characters = chrf.prepare(chrf.encode(references))
    encoded = chrf.encode(candidates)

    their_bleu = BLEU(tokenize="none", smooth_method="add-k", effective_order=True)
    their_chrf = CHRF()
    theirs = [
        best_seconds(lambda m=m: [m.sentence_score(c, references) for c in candidates])  # type: ignore[misc]
        for m in (their_bleu, their_chrf)
    ]

    def row(what: str, seconds: float, peer: float | None = None, target: str = "") -> Row:
        return Row(
            what=what, ours=1000 * seconds, unit="ms", target=target,
            peer="sacreBLEU" if peer else "", theirs=1000 * peer if peer else None,
        )  # fmt: skip

    yield row("references prepared for BLEU+1", best_seconds(lambda: BleuPlusOne().prepare(known)))
    yield row(
        "BLEU+1 of a 200-best list, 4 references",
        best_seconds(lambda: bleu.gold(bleu.stats(given)), repeat=50),
        theirs[0],
        "< 1 ms",
    )
    yield row(
        "chrF of the same list",
        best_seconds(lambda: characters.gold(characters.stats(encoded)), repeat=20),
        theirs[1],
    )
    yield row(
        "word error rate of the same list",
        best_seconds(lambda: wer.gold(wer.stats(given)), repeat=50),
    )
