"""Features and their ids."""

from typing import Annotated

import numpy
from numpy.typing import NDArray

class FeatureTable:
    """Dense ids of features: of a family and a key."""

    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def intern(
        self,
        family: int,
        keys: Annotated[
            NDArray[numpy.uint32], dict(shape=(None, None), order="C", device="cpu", writable=False)
        ],
        members: int = 1,
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        The ids of keys, one a row; new ones for new keys, `members` in a row for each.
        """

    def find(
        self,
        family: int,
        keys: Annotated[
            NDArray[numpy.uint32], dict(shape=(None, None), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The same, and -1 for unknown keys."""

    def key(self, id: int) -> tuple[list[int], int]:
        """The family and key of an id, and which of the key's members it is."""
