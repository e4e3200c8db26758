"""E3: whether independent sources agree with a text (requirement E3)."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from verifyhub.common.visible import middle_cut
from verifyhub.engine.judging.control_sentences import ControlSentence
from verifyhub.engine.layer_results import LayerName
from verifyhub.engine.layers.base import (
    NO_MODEL,
    LayerFinding,
    LayerInput,
    LayerWork,
    inconclusive,
    settled,
    skipped,
)
from verifyhub.engine.layers.control import controlled
from verifyhub.engine.layers.material import (
    MAX_TASK_CHARACTERS,
    ONLY_MATERIAL,
    shown,
    text_of,
)
from verifyhub.engine.layers.opinions import (
    WordOpinion,
    ask_opinion,
    excerpts,
    opinions_and_reason,
)
from verifyhub.engine.layers.scores import decided, mean
from verifyhub.engine.ports import Model
from verifyhub.engine.text.tokens import UNSPACED

PURPOSE = "layer.multi_source"
INSUFFICIENT = "insufficient"
LEAST_SOURCES = 2
LEAST_SUPPORTING = 2
LEAST_AGREEMENT = 0.6
MAX_SOURCES = 10
# Of one source: some 1,200 words.
MAX_PASSAGES = 10
SUPPORTS = "SUPPORTS"
WORDS = (SUPPORTS, "CONTRADICTS", "SILENT")
SYSTEM = (
    "You compare `text` with one source, given as `passages` of it. Say whether the"
    " source supports what the text states, contradicts it, or is silent about it, and"
    " how sure you are, from 0 to 1. What you know yourself does not count. `task`"
    " only says what the text answers. Call submit_opinion exactly once."
) + ONLY_MATERIAL


class MultiSource:
    name = LayerName.MULTI_SOURCE
    timeout_seconds = 20.0

    def look(self, subject: LayerInput, work: LayerWork) -> LayerFinding:
        model = work.tools.verifier
        sources = independent(subject.sources)
        counts = {"sources": len(subject.sources), "independent": len(sources)}
        if len(sources) < LEAST_SOURCES:
            return skipped(INSUFFICIENT, required=LEAST_SOURCES, **counts)
        if model is None:
            return skipped(NO_MODEL, **counts)
        selected = sources[:MAX_SOURCES]
        replies = work.each(
            [partial(_ask, model, source, subject, work) for source in selected]
        )
        opinions, reason = opinions_and_reason(replies)
        details = {
            **counts,
            "asked": len(selected),
            "opinions": [
                {"opinion": reply.word, "confidence": reply.confidence}
                if isinstance(reply, WordOpinion)
                else {"opinion": None, "reason": reply.reason}
                for reply in replies
            ],
        }
        if len(opinions) < LEAST_SOURCES:
            return inconclusive(reason, **details)
        finding = _finding(opinions, len(selected), reason, details)

        def accepts(control: ControlSentence) -> bool:
            source = f"{selected[0]}\n\n{control.truth}"
            planted = replace(subject, text=control.falsehood)
            return _ask(model, source, planted, work).word == SUPPORTS

        return controlled(finding, work, subject, accepts)


def _ask(
    model: Model, source: str, subject: LayerInput, work: LayerWork
) -> WordOpinion:
    text = text_of(subject)
    passages, left_out = excerpts(source, text, most=MAX_PASSAGES)
    return ask_opinion(
        model,
        WORDS,
        system=SYSTEM,
        user=shown(
            work,
            task=middle_cut(subject.task, MAX_TASK_CHARACTERS),
            text=text,
            passages=passages,
            passages_left_out=left_out,
        ),
        purpose=PURPOSE,
    )


def _finding(
    opinions: list[WordOpinion], source_count: int, reason: str, details: dict[str, Any]
) -> LayerFinding:
    supporting = sum(opinion.word == SUPPORTS for opinion in opinions)
    agreement = supporting / len(opinions)
    confidence = mean([opinion.confidence for opinion in opinions]) or 0.0
    outcome = decided(
        lambda yes: yes >= LEAST_SUPPORTING and yes / source_count >= LEAST_AGREEMENT,
        supporting,
        source_count - len(opinions),
    )
    return settled(
        outcome,
        agreement * confidence,
        reason,
        **details,
        supporting=supporting,
        agreement=agreement,
        mean_confidence=confidence,
    )


SHINGLE_WORDS = 5
NEAR_IDENTICAL = 0.9
# Beyond this a copy gives itself away before.
MAX_WORDS = 5_000

_WORD = re.compile(r"\w+")
_UNSPACED = re.compile(f"[{UNSPACED}]")


def independent(texts: Sequence[str]) -> list[str]:
    """Return the texts that are no copy of an earlier one, in order.

    A text is one if nine tenths of the runs of five words of the shorter one stand in
    the longer one, so that a quotation of the whole is a copy too.
    """
    chosen: list[str] = []
    seen: list[frozenset[int]] = []
    for text in texts:
        words = _units(text)
        count = max(1, len(words) - SHINGLE_WORDS + 1) if words else 0
        marks = frozenset(
            hash(tuple(words[place : place + SHINGLE_WORDS])) for place in range(count)
        )
        is_copy = any(
            len(marks & other) >= NEAR_IDENTICAL * min(len(marks), len(other))
            for other in seen
        )
        if marks and not is_copy:
            chosen.append(text)
            seen.append(marks)
    return chosen


def _units(text: str) -> list[str]:
    """Return the words of a text; its letters where words have no blanks between."""
    words = _WORD.findall(text.casefold())
    letters = "".join(words)
    if 2 * len(_UNSPACED.findall(letters)) > len(letters):
        return list(letters[:MAX_WORDS])
    return words[:MAX_WORDS]
