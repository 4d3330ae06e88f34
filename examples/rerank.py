"""Rerank another system's n-best list: learn weights on one half of it, choose in the other.

`text/jonah.nbest.gz` is in Moses' format, as most systems write it; `miriam rerank` does the same
from the command line.
"""

from mark import TEXT, lines

from miriam.lexicon.vocabulary import Vocabulary
from miriam.metrics import Bleu, corpus_score
from miriam.tune.files import read_nbest
from miriam.tune.rerank import apply, score_lists, tune
from miriam.tune.settings import preset

names = Vocabulary()  # numbers the features
sentences = list(read_nbest(TEXT / "jonah.nbest.gz", names))
references = lines("jonah.tok.en")
known, new = sentences[::2], sentences[1::2]

settings = preset("mert")
lists = score_lists(known, [[line] for line in references], settings.gold)
tuned = tune(settings, lists, names)
for name, weight in sorted(tuned.weights.items(), key=lambda row: -abs(row[1]))[:5]:
    print(f"{name:<32} {weight:+.4f}")

metric = Bleu(tokenize="none")
truth = [[references[sentence.sentence] for sentence in new]]
before = [sentence.texts[0] for sentence in new]
after = [sentence.texts[0] for sentence in apply(new, tuned.weights, names)]
print(
    f"BLEU of the other half: {corpus_score(metric, before, truth):.2f} as it came, "
    f"{corpus_score(metric, after, truth):.2f} reranked"
)
