"""Add a loss of one's own, and tune with it on the n-best lists of a system.

ListNet (Cao et al., 2007) is the cross entropy between two distributions over a list: that which
the gold scores make, and that which the model makes.
"""

import numpy as np
from mark import TEXT, lines

from miriam.lexicon.vocabulary import Vocabulary
from miriam.metrics import BleuPlusOne
from miriam.tune.files import read_nbest
from miriam.tune.learner import Pieces
from miriam.tune.losses import Logistic
from miriam.tune.losses.loss import Array, ListLoss, posterior
from miriam.tune.online import Online
from miriam.tune.regularisers import L1
from miriam.tune.rerank import score_lists, tune
from miriam.tune.settings import Tuning


class ListNet(ListLoss, frozen=True, kw_only=True, tag="listnet", tag_field="kind"):
    """-Σ q log p, with q = softmax(gold / temperature) and p = softmax(scores)."""

    temperature: float = 0.05

    def __call__(self, scores: Array, gold: Array, rng: np.random.Generator) -> tuple[float, Array]:
        """The loss, and its derivative by each score: p - q."""
        p, q = posterior(scores), posterior(gold / self.temperature)
        return float(-(q * np.log(np.maximum(p, 1e-300))).sum()), p - q


def largest_error(loss: ListNet) -> float:
    """How far the derivative is from finite differences: look at that before anything else."""
    rng = np.random.default_rng(1)
    scores, gold, h = rng.normal(size=6), rng.random(6), 1e-6
    differences = [
        (loss(scores + step, gold, rng)[0] - loss(scores - step, gold, rng)[0]) / (2 * h)
        for step in h * np.eye(6)
    ]
    return float(np.abs(loss(scores, gold, rng)[1] - differences).max())


def main() -> None:
    """Tune with it, and beside it with the loss that is Miriam's own choice."""
    print(f"largest error of the derivative: {largest_error(ListNet()):.1e}")
    names = Vocabulary()  # numbers the features
    references = [[line] for line in lines("jonah.tok.en")]
    lists = score_lists(read_nbest(TEXT / "jonah.nbest.gz", names), references, BleuPlusOne())
    for loss in (ListNet(), Logistic()):
        learner = Online(pieces=Pieces(loss=loss, regulariser=L1(strength=1e-4)), epochs=5)
        tuned = tune(Tuning(learner=learner), lists, names, development=lists)
        print(f"{type(loss).__name__:<10} BLEU of the lists it was tuned on: {tuned.score:.2f}")


if __name__ == "__main__":
    main()
