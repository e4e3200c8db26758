"""A claim beside one sentence: the same words, or the same but for one thing.

Both are compared word by word. Only a sentence that says the very same otherwise, and
differs in exactly one number, date, name or denial, speaks against a claim: two
differences may be two true facts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from verifyhub.engine.claims.numbers import Quantity
from verifyhub.engine.claims.reading import ParsedText, WordUnit

# Longer texts are no sentences; comparing them word by word would take too long.
MAX_WORDS = 120
# Words of meaning that both must share beside the difference, and their least share of
# the claim's.
MIN_SHARED = 3
MIN_SHARE = 0.75
# Of two sentences of the very same words, but for a denial.
MIN_DENIED = 2
# A claim of fewer words stands word for word in too much.
MIN_VERBATIM = 4
# Words of meaning that the sentence may say more in between.
MAX_ADDED = 2

NUMBER, DATE, NAME, NEGATION = "number", "date", "name", "negation"


_ONLY = frozenset(
    {"only", "just", "merely", "только", "лишь", "seulement", "nur", "bloß", "solo"}
    | {"sólo", "solamente"}
)


_PREFIXES = ("non-", "non", "not-", "un", "nicht-", "nicht", "не")


@dataclass(frozen=True, slots=True)
class SingleDifference:
    """The one difference of a claim and its evidence, as the texts of both."""

    kind: str
    claim: str
    evidence: str

    def as_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "claim": self.claim, "evidence": self.evidence}


def stands_in(claim: ParsedText, sentence: ParsedText) -> tuple[int, int] | None:
    """Return where a sentence has all words of a claim in sequence.

    Returns:
        Positions of the first word and of the one behind the last; None if they do
        not, or if the claim has fewer than four words.
    """
    needle = [word.key for word in claim.words]
    haystack = [word.key for word in sentence.words]
    if len(needle) < MIN_VERBATIM:
        return None
    first = needle[0]
    for at in range(min(len(haystack), MAX_WORDS) - len(needle) + 1):
        if haystack[at] == first and haystack[at : at + len(needle)] == needle:
            return at, at + len(needle)
    return None


def single_difference(
    claim: ParsedText, sentence: ParsedText
) -> SingleDifference | None:
    """Return the one thing in which a sentence of the same words differs."""
    if max(len(claim.words), len(sentence.words)) > MAX_WORDS:
        return None
    if not _may_share_enough(claim, sentence) or _lacks_words(claim, sentence):
        return None
    ours, theirs = claim.units, sentence.units
    matcher = SequenceMatcher(
        None, [unit.key for unit in ours], [unit.key for unit in theirs], autojunk=False
    )
    steps = matcher.get_opcodes()
    differences: list[SingleDifference] = []
    for place, (step, a, b, c, d) in enumerate(steps):
        if step == "equal":
            continue
        is_inside = 0 < place < len(steps) - 1
        difference = _difference(ours[a:b], theirs[c:d], is_inside)
        if difference is False:
            return None
        if isinstance(difference, SingleDifference):
            differences.append(difference)
    if len(differences) != 1 or not _shares_enough(ours, theirs, steps, differences[0]):
        return None
    return differences[0]


def _may_share_enough(claim: ParsedText, sentence: ParsedText) -> bool:
    """Whether `_shares_enough` may hold: bounds of its counts that cost little."""
    plain = [word for word in claim.content if not word.is_number]
    same = sum(word.stem in sentence.stems for word in plain) + len(claim.quantities)
    # A number or date may take up two words beside its figures.
    rest = 2 * len(claim.quantities) + len(claim.negations)
    matter = len(plain) - rest
    enough = max(MIN_SHARED, MIN_SHARE * (matter - 1))
    return same >= min(enough, max(MIN_DENIED, matter - 1))


def _lacks_words(claim: ParsedText, sentence: ParsedText) -> bool:
    """Whether a sentence lacks words of a claim that are no names, numbers or denials.

    Of these one may be missing, where the sentence has it with a prefix that denies.
    """
    left = {word.span for word in claim.negations}
    spans = [quantity.span for quantity in claim.quantities]
    missing = [
        word
        for word in claim.content
        if word.stem not in sentence.stems
        and not (word.text[:1].isupper() or word.is_number or word.span in left)
        and not any(a < word.span[1] and word.span[0] < b for a, b in spans)
    ]
    if len(missing) != 1:
        return bool(missing)
    return not any(_negates(missing[0].key, other.key) for other in sentence.words)


def _shares_enough(
    ours: Sequence[WordUnit],
    theirs: Sequence[WordUnit],
    steps: Sequence[tuple[str, int, int, int, int]],
    difference: SingleDifference,
) -> bool:
    """Whether both speak of the same: few words must all be equal, many nearly all."""
    same = sum(
        unit.matter
        for step, a, b, _, _ in steps
        if step == "equal"
        for unit in ours[a:b]
    )
    matter = sum(unit.matter and not unit.denies for unit in ours)
    their_matter = sum(unit.matter and not unit.denies for unit in theirs)
    # A prefix that denies is a part of its word.
    rest = int(bool(difference.claim and difference.evidence))
    if difference.kind == NEGATION and same + rest == matter == their_matter:
        return same >= MIN_DENIED
    return same >= max(MIN_SHARED, MIN_SHARE * (matter - 1))


def _difference(
    ours: Sequence[WordUnit], theirs: Sequence[WordUnit], is_inside: bool
) -> SingleDifference | bool | None:
    """Read one step: None says nothing, False says too much, else the difference."""
    denied = [unit for unit in ours if unit.denies]
    denies = [unit for unit in theirs if unit.denies]
    claimed = [unit for unit in ours if unit.matter and not unit.denies]
    shown = [unit for unit in theirs if unit.matter and not unit.denies]
    if bool(denied) != bool(denies):
        # `I am not sure, but …`, `not only`: what is denied is something else.
        alone = is_inside and not claimed and not shown
        if not alone or any(unit.word.key in _ONLY for unit in (*ours, *theirs)):
            return False
        return SingleDifference(NEGATION, _joined(denied), _joined(denies))
    if not claimed:
        return None if not is_inside or len(shown) <= MAX_ADDED else False
    if len(claimed) == len(shown) == 1 and claimed[0].quantity and shown[0].quantity:
        return _of_numbers(claimed[0].quantity, shown[0].quantity)
    return _of_names(claimed, shown)


def _of_numbers(ours: Quantity, theirs: Quantity) -> SingleDifference | bool | None:
    if ours.agrees(theirs):
        return None
    if ours.bound or theirs.bound:
        return False
    kind = DATE if ours.date or theirs.date else NUMBER
    return SingleDifference(kind, ours.text, theirs.text)


def _of_names(
    claimed: Sequence[WordUnit], shown: Sequence[WordUnit]
) -> SingleDifference | bool:
    if len(claimed) == len(shown) == 1 and _negates(
        claimed[0].word.key, shown[0].word.key
    ):
        return SingleDifference(NEGATION, claimed[0].word.text, shown[0].word.text)
    if not shown or not all(unit.named for unit in (*claimed, *shown)):
        return False
    # A part of a name for the whole of it: `Obama`, `Barack Obama`.
    if {unit.key for unit in claimed} & {unit.key for unit in shown}:
        return False
    return SingleDifference(NAME, _joined(claimed), _joined(shown))


def _negates(word: str, other_word: str) -> bool:
    """Whether one word is the other with a prefix that denies it: `non-refundable`."""
    short, long = sorted((word, other_word), key=len)
    return len(short) > 3 and any(long == f"{prefix}{short}" for prefix in _PREFIXES)


def _joined(units: Sequence[WordUnit]) -> str:
    return " ".join(unit.word.text for unit in units)
