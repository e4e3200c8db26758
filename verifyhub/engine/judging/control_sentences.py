"""Control sentences: two sentences for a judge whose right judgement is known.

They are put together from words that the material does not hold, so that nothing in it
can speak of them, and from several forms, so that they look like any other fact.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from verifyhub.engine.judging.control_names import WORDS

_FORMS = (
    "The {0} {1} of the {2} office was renewed in {3}.",
    "The {0} of the {1} {2} holds {3} entries.",
    "Every {0} {1} waits {3} seconds for its {2}.",
    "The {0} team moved {3} {1} records to the {2}.",
    "A {0} costs {3} credits with the {1} {2}.",
)
_LOWEST, _HIGHEST = 12, 2000


@dataclass(frozen=True, slots=True)
class ControlSentence:
    """A sentence to be planted, and one that cannot be true beside it."""

    truth: str
    falsehood: str

    @classmethod
    def among(cls, texts: Sequence[str], rng: random.Random) -> "ControlSentence":
        """Draw a pair about something that is in no text.

        Args:
            texts: The material that the judge is shown.
            rng: The source of chance; it must be unpredictable from outside.
        """
        haystack = " ".join(texts).casefold()
        free = [word for word in WORDS if word not in haystack]
        things = rng.sample(free if len(free) > 2 else WORDS, 3)
        numbers = rng.sample(range(_LOWEST, _HIGHEST), 2)
        form = rng.choice(_FORMS)
        truth, falsehood = (form.format(*things, number) for number in numbers)
        return cls(truth, falsehood)
