"""Compare two attempts at a subtask: removed and added words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from rapidfuzz.distance import Indel

from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction
from verifyhub.review import selectors
from verifyhub.review.answer_page.marked_answer import marked_answer
from verifyhub.review.answer_page.marks import NameMark, names_of
from verifyhub.verification.models import Verification
from verifyhub.verification.selectors import earlier_attempts

# A word, white space, or another character: every character is in exactly one token.
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
# Words of each answer that are compared; later ones are shown without colours.
MAX_TOKENS = 20_000
CHARACTERS = 100_000
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class AttemptSide:
    """One of the two attempts."""

    interaction: Interaction
    number: int
    run: Verification | None
    html: SafeString
    names: list[NameMark]


@dataclass(frozen=True, slots=True)
class NameChange:
    """A name that only one of the attempts has, or with different statuses."""

    text: str
    kind: str
    before: str
    after: str


def attempts_context(interaction: Interaction, earlier_id: str) -> dict[str, Any]:
    """Return two attempts to compare.

    Args:
        interaction: The later attempt.
        earlier_id: The id of the earlier one; anything else means the previous one.
    """
    *before, last = reversed([interaction, *earlier_attempts(interaction)])
    if not before:
        return {"attempts_made": 1, "left": None}
    earlier = next((each for each in before if str(each.id) == earlier_id), before[-1])
    removed, added = changed_spans(earlier.answer, interaction.answer)
    left = _side(earlier, before.index(earlier) + 1, removed, "diff-gone")
    right = _side(last, len(before) + 1, added, "diff-came")
    return {
        "attempts_made": len(before) + 1,
        "chain": list(enumerate(before, 1)),
        "left": left,
        "sides": [left, right],
        "changes": _changes(left.names, right.names),
        "same": not removed and not added,
    }


def changed_spans(before: str, after: str) -> tuple[list[Span], list[Span]]:
    """Return the ranges of words that only one of two texts has, in code points."""
    old, new = _tokens(before), _tokens(after)
    gone = [before[start:end] for start, end in old]
    came = [after[start:end] for start, end in new]
    removed: list[Span] = []
    added: list[Span] = []
    for step in Indel.opcodes(gone, came):
        if step.tag == "equal":
            continue
        if step.src_end > step.src_start:
            removed.append((old[step.src_start][0], old[step.src_end - 1][1]))
        if step.dest_end > step.dest_start:
            added.append((new[step.dest_start][0], new[step.dest_end - 1][1]))
    return removed, added


@dataclass(frozen=True, slots=True)
class TextDifference:
    """A part of two texts: in both of them, or in one of them only."""

    text: str
    removed: bool = False
    added: bool = False


def woven(before: str, after: str) -> tuple[list[TextDifference], bool]:
    """Merge two texts into one: removed, added and unchanged parts, in order.

    Returns:
        The parts, and whether the texts exceed the compared length.
    """
    old, new = _tokens(before), _tokens(after)
    removed, added = changed_spans(before, after)
    end = old[-1][1] if old else 0
    parts: list[TextDifference] = []
    at = behind = 0
    went, arrived = iter([*removed, (end, end)]), iter([*added, (len(after) + 1, 0)])
    out, into = next(went), next(arrived)
    while True:
        # Both sides have the same text up to the nearest change.
        same = min(out[0] - at, into[0] - behind)
        parts.append(TextDifference(before[at : at + same]))
        at, behind = at + same, behind + same
        if out[0] == at and out[1] > at:
            parts.append(TextDifference(before[at : out[1]], removed=True))
            at, out = out[1], next(went)
        elif into[0] == behind:
            parts.append(TextDifference(after[behind : into[1]], added=True))
            behind, into = into[1], next(arrived)
        else:
            break
    compared = (end, new[-1][1] if new else 0)
    return [part for part in parts if part.text], compared != (len(before), len(after))


def _tokens(text: str) -> list[Span]:
    matches = TOKEN.finditer(text[:CHARACTERS])
    return [token.span() for token, _ in zip(matches, range(MAX_TOKENS), strict=False)]


def _side(
    interaction: Interaction, number: int, changed: Sequence[Span], css: str
) -> AttemptSide:
    runs = selectors.runs_of(interaction)
    run = next((r for r in runs if r.state == Verification.State.FINISHED), None)
    report = selectors.report_of(run) if run else VerificationReport()
    # The verification's statuses alone: others' decisions are not shown here.
    names = names_of(report, {})
    html = marked_answer(
        interaction.answer[:CHARACTERS],
        names,
        report.completion_claims,
        changed=[(span, css) for span in changed],
        page=f"/p/{interaction.project.slug}/answers/{interaction.id}/",
    )
    return AttemptSide(interaction, number, run, html, names)


def _changes(before: Sequence[NameMark], after: Sequence[NameMark]) -> list[NameChange]:
    old = {(str(name.data.kind), name.text): name.tone for name in before}
    new = {(str(name.data.kind), name.text): name.tone for name in after}
    return [
        NameChange(text, kind, old.get((kind, text), ""), new.get((kind, text), ""))
        for kind, text in dict.fromkeys([*old, *new])
        if old.get((kind, text)) != new.get((kind, text))
    ]
