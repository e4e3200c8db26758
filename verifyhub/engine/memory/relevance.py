"""Score the relevance of entries to a task by shared words and their rarity."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from math import log

# A task is read no further than this, in code points: the words that say what it is
# about come early, and the order of the entries is no reason to read megabytes.
MAX_TASK_LENGTH = 20_000

_RUN = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")
_NAME = re.compile(r"[\w@$][\w@$./:+-]*+")
_PARTS = re.compile(r"[/:.]")
MIN_WORD_LENGTH = 2
MAX_NAME_LENGTH = 200
# Words longer than this are likelier a name than the small words of a sentence.
MIN_LONG = 5


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text, with names taken apart at case, `_`, `/`, `.`.

    `parseConfig` and `parse_config.py` share the words parse and config.
    """
    stems: set[str] = set()
    for run in _RUN.findall(text[:MAX_TASK_LENGTH]):
        stems.add(run.casefold())
        if not run.islower():
            stems.update(part.casefold() for part in _CAMEL.findall(run))
    return frozenset(word for word in stems if len(word) >= MIN_WORD_LENGTH)


class Relevance:
    """Scores texts against one task.

    The measure is the share of a text's words that the task has too, each word
    weighted by its inverse document frequency ln(1 + N/n): of N texts n hold the word
    (Spärck Jones 1972). A word that all entries share, as `src`, says little of any.
    """

    def __init__(self, task: str, texts: Iterable[str]) -> None:
        self._task = words_of(task)
        self._words = {text: words_of(text) for text in texts} if self._task else {}
        frequencies = Counter(word for words in self._words.values() for word in words)
        self._weights: Mapping[str, float] = {
            word: log(1 + len(self._words) / count)
            for word, count in frequencies.items()
        }

    def of(self, text: str) -> float:
        """Return the relevance of one of the texts, 0..1."""
        entry_words = self._words.get(text)
        if not entry_words:
            return 0.0
        # In a fixed order: a sum of floats depends on it.
        total = sum(self._weights[word] for word in sorted(entry_words))
        shared = sum(self._weights[word] for word in sorted(entry_words & self._task))
        return shared / total


def names_in(task: str, *, limit: int) -> tuple[str, ...]:
    """Return the names that a task may contain, likeliest first.

    Names that are looked up whole: what has a joint, a dot or a capital inside looks
    more like a name than a plain word does; of a path its last part is one too.
    """
    looks: dict[str, int] = {}
    for token in _NAME.findall(task[:MAX_TASK_LENGTH]):
        bare = token.strip(".:-+")
        parts = [bare, *_PARTS.split(bare)[-2:]] if _PARTS.search(bare) else [bare]
        for part in parts:
            if MIN_WORD_LENGTH <= len(part) <= MAX_NAME_LENGTH:
                looks[part] = (
                    2 * (not part.isalpha())
                    + (not part.islower())
                    + (len(part) > MIN_LONG)
                )
    ranked = sorted(looks, key=lambda name: -looks[name])
    return tuple(ranked[:limit])
