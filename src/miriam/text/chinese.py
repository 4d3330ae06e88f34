"""Chinese words by jieba."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from miriam.config import Config
from miriam.errors import MissingExtraError
from miriam.text.detokenise import detokenise
from miriam.text.placeholders import split_around

__all__ = ["Jieba", "JiebaTokeniser"]


class Jieba(Config, frozen=True, kw_only=True, tag="jieba", tag_field="kind"):
    """Chinese words: the most probable path through jieba's dictionary."""

    new_words: bool = True  # also guess words that are not in the dictionary (by an HMM)

    def build(self) -> JiebaTokeniser:
        """The tokeniser."""
        return JiebaTokeniser(new_words=self.new_words)


class JiebaTokeniser:
    """Splits Chinese into words; the way back leaves no blanks but between Latin words.

    >>> tokeniser = JiebaTokeniser()
    >>> tokeniser.tokenise("我们在北京学习。")
    ['我们', '在', '北京', '学习', '。']
    >>> tokeniser.detokenise(['我们', '在', 'New', 'York', '学习', '。'])
    '我们在New York学习。'
    """

    def __init__(self, *, new_words: bool = True) -> None:
        self.new_words = new_words
        self._jieba = _jieba()

    def tokenise(self, text: str) -> list[str]:
        """The tokens of a text."""
        return split_around(text, self._words)

    def detokenise(self, tokens: Sequence[str]) -> str:
        """The text of tokens."""
        return detokenise(tokens, "zh")

    def _words(self, text: str) -> Iterator[str]:
        """Jieba's words: it gives blanks and line breaks too, even within one."""
        for word in self._jieba.cut(text, HMM=self.new_words):
            yield from word.split()


def _jieba() -> Any:
    """A tokeniser of our own, with its dictionary read.

    jieba would keep the dictionary in a file of the temporary directory, where any user may have
    put another; it is read anew instead, which takes about a second.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pkg_resources, which jieba uses, says it is too old
            import jieba
    except ImportError:
        raise MissingExtraError("jieba", extra="zh", purpose="Chinese words") from None
    tokeniser = jieba.Tokenizer()
    tokeniser.FREQ, tokeniser.total = tokeniser.gen_pfdict(tokeniser.get_dict_file())
    tokeniser.initialized = True
    return tokeniser
