from miriam._core import align as align
from miriam._core import corpus as corpus
from miriam._core import features as features
from miriam._core import lexicon as lexicon
from miriam._core import lm as lm
from miriam._core import metrics as metrics
from miriam._core import rules as rules
from miriam._core import search as search
from miriam._core import tune as tune

class Progress:
    """How far a native call has come, and the way to stop it."""

    def __init__(self) -> None: ...
    def stop(self) -> None:
        """Make the call end with KeyboardInterrupt."""

    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int: ...
