"""k-best MIRA: passes over fixed lists, hope against fear (Cherry and Foster, 2012)."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from msgspec import Meta

from miriam.config import Config
from miriam.features.nbest import NBest
from miriam.tune.batch.pool import Pool
from miriam.tune.losses.loss import Array
from miriam.tune.monitor import Log, no_log
from miriam.tune.pairs import generator

__all__ = ["KbMira"]


class KbMira(Config, frozen=True, kw_only=True, tag="kbmira", tag_field="kind"):
    """Batch k-best MIRA.

    What a candidate is worth is the corpus score with it of a pseudo-corpus: the hopes so far, each
    older one counting `decay` times as much. Differences are taken at the size of that corpus, so
    they are comparable with sentence scores. The weights of a pass are averaged, and of all passes
    the mean that scores best on the lists is returned.
    """

    c: Annotated[float, Meta(gt=0)] = 0.01
    passes: Annotated[int, Meta(ge=1)] = 60
    decay: Annotated[float, Meta(gt=0, lt=1)] = 0.999

    def learn(
        self, pool: Pool, start: Array, *, seed: int = 1, threads: int = 1, log: Log = no_log
    ) -> Array:
        """The averaged weights of the best pass, or the start if none beats it."""
        pool.check()
        weights, best, best_score = start.copy(), start, pool.score(start)
        background = np.mean([scored.stats[0] for scored in pool.lists], axis=0)
        size = 1.0
        for number in range(self.passes):
            late = np.zeros(len(weights))  # the sum of each change times when it was made
            order = generator(seed, number).permutation(len(pool.lists))
            for time, sentence in enumerate(order.tolist()):
                nbest, stats, _ = pool.lists[sentence]
                gain = pool.corpus(background + stats) / 100 * (size + 1)
                local = weights[nbest.ids]
                hope, change = self._change(nbest.scores(local), gain, nbest)
                weights[nbest.ids] += change
                late[nbest.ids] += time * change
                background = self.decay * (background + stats[hope])
                size = self.decay * (size + 1)
            mean = weights - late / len(order)
            score = pool.score(mean)
            if score > best_score:
                best, best_score = mean, score
            log({"event": "step", "step": number + 1, "steps": self.passes, "score": best_score})
        return best

    def _change(self, scores: Array, gain: Array, nbest: NBest) -> tuple[int, Array]:
        """Which candidate is the hope, and MIRA's step towards it."""
        hope, fear = int(np.argmax(scores + gain)), int(np.argmax(scores - gain))
        loss = (scores[fear] - gain[fear]) - (scores[hope] - gain[hope])
        coefficients = np.zeros(len(scores))
        coefficients[fear] += 1.0
        coefficients[hope] -= 1.0
        gradient = nbest.gradient(coefficients)
        squares = float(np.sum(gradient * gradient))
        step = min(self.c, loss / squares) if loss > 0 and squares > 0 else 0.0
        return hope, -step * gradient
