"""How much an entry has to do with a task: shared words, no model."""

import re

# A task is read no further than this, in code points: the words that say what it is
# about come early, and the order of the entries is no reason to read megabytes.
MAX_TASK_LENGTH = 20_000

_RUN = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")
MIN_WORD_LENGTH = 2


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text, with names taken apart at case, `_`, `/`, `.`.

    `parseConfig` and `parse_config.py` share the words parse and config.
    """
    found: set[str] = set()
    for run in _RUN.findall(text[:MAX_TASK_LENGTH]):
        found.add(run.casefold())
        found.update(part.casefold() for part in _CAMEL.findall(run))
    return frozenset(word for word in found if len(word) >= MIN_WORD_LENGTH)


def relevance(text: str, task_words: frozenset[str]) -> float:
    """Return the share, 0..1, of a text's words that the task has too."""
    own = words_of(text)
    return len(own & task_words) / len(own) if own else 0.0
