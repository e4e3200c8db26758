"""E2: the share of a text's atomic facts that are supported.

Source: Min et al. 2023 (FActScore); E2 for the cut-offs. A passage that is next to
the same as a fact supports it, unless a number or a denial differs: likeness is not
truth. Everything else is asked of the model, with what was found.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from verifyhub.common.visible import middle_cut
from verifyhub.engine.claim_results import Claim, SentenceKind
from verifyhub.engine.claims.extract import extract_claims
from verifyhub.engine.claims.numbers import differing, quantities
from verifyhub.engine.claims.words import negations, words
from verifyhub.engine.judging.control_sentences import ControlSentence
from verifyhub.engine.layer_results import LayerName
from verifyhub.engine.layers.base import (
    NO_MODEL,
    LayerFinding,
    LayerInput,
    LayerTools,
    LayerWork,
    inconclusive,
    settled,
    skipped,
)
from verifyhub.engine.layers.control import controlled
from verifyhub.engine.layers.material import ONLY_MATERIAL, question_of, shown
from verifyhub.engine.layers.opinions import ask_word
from verifyhub.engine.layers.scores import decided
from verifyhub.engine.passages import Candidate
from verifyhub.engine.ports import Model, ModelError, ModelReply, ModelRequest

PURPOSE = "layer.fact_decomposition"
NO_FACTS = "no_facts"
TOO_MANY_FACTS = "too_many_facts"
PASS_SHARE = 0.9
CONSIDERED_FROM, SUPPORTS_ABOVE = 0.8, 0.9
CANDIDATES = 3
MAX_FACTS = 40
# Splitting a text takes a longer reply than judging it.
SPLIT_TOKENS = 2_000
MAX_CLAIM_CHARACTERS = 1_000
MAX_PASSAGE_CHARACTERS = 1_500
SUPPORTED, REFUTED, UNKNOWN = "SUPPORTED", "REFUTED", "UNKNOWN"
SYSTEM = (
    "You check one claim. Say whether it is true, as far as `passages` and `context`"
    " show it, or what is commonly known where they say nothing. `task` only says what"
    f" the claim is about. Reply with exactly one word: {SUPPORTED} if the claim is"
    f" true, {REFUTED} if it is false, {UNKNOWN} if you cannot tell."
) + ONLY_MATERIAL


@dataclass(frozen=True, slots=True)
class _Fact:
    """A fact with its result; `supported` is None where it could not be settled."""

    claim: Claim
    supported: bool | None
    by: str
    similarity: float | None = None
    passage: str = ""

    def as_dict(self) -> dict[str, Any]:
        return {
            "claim": self.claim.text[:MAX_CLAIM_CHARACTERS],
            "span": list(self.claim.span),
            "supported": self.supported,
            "by": self.by,
            "similarity": self.similarity,
            "passage": self.passage,
        }


class FactDecomposition:
    name = LayerName.FACT_DECOMPOSITION
    timeout_seconds = 15.0

    def look(self, subject: LayerInput, work: LayerWork) -> LayerFinding:
        tools = work.tools
        if tools.text_model is None and tools.search is None:
            return skipped(NO_MODEL)
        splitter = _Splitter(tools.verifier) if tools.verifier else None
        extraction = extract_claims(subject.text, model=splitter)
        facts = [
            claim for claim in extraction.claims if claim.kind == SentenceKind.FACTUAL
        ]
        if not facts:
            return skipped(NO_FACTS, claims=len(extraction.claims))
        checked = _checked(facts[:MAX_FACTS], subject, work)
        finding = _finding(checked, len(facts) - len(checked), extraction.reason, tools)
        model = tools.text_model
        if model is None or all(fact.by != "model" for fact in checked):
            return finding

        def accepts(control: ControlSentence) -> bool:
            return _supports(model, control.falsehood, [control.truth], subject, work)

        return controlled(finding, work, subject, accepts)


def precision(supported: Sequence[bool], *, gamma: int = 0) -> float | None:
    """Return FActScore's precision of one answer.

    Args:
        supported: Of every fact that it states.
        gamma: Length penalty: with fewer facts than this, precision is taken times
            exp(1 − gamma / facts); 0 for none.

    Returns:
        None of an answer that states nothing: who abstains is left out of the score.
    """
    if not supported:
        return None
    share = sum(supported) / len(supported)
    if gamma and len(supported) < gamma:
        share *= math.exp(1 - gamma / len(supported))
    return share


@dataclass(frozen=True, slots=True)
class _Splitter:
    """The model, asked for replies as long as all facts of a text."""

    model: Model

    @property
    def name(self) -> str:
        return self.model.name

    def ask(self, request: ModelRequest) -> ModelReply:
        return self.model.ask(replace(request, max_output_tokens=SPLIT_TOKENS))


def _checked(
    facts: Sequence[Claim], subject: LayerInput, work: LayerWork
) -> list[_Fact]:
    search = work.tools.search
    near: list[list[Candidate]] = [[] for _ in facts]
    if search is not None:
        results = search.search([fact.text for fact in facts], limit=CANDIDATES)
        near = [
            [hit for hit in hits if (hit.similarity or 0.0) >= CONSIDERED_FROM]
            for hits in results
        ]
    tasks = [
        partial(_check, fact, candidates, subject, work)
        for fact, candidates in zip(facts, near, strict=True)
    ]
    return [
        _Fact(fact, None, result.reason) if isinstance(result, ModelError) else result
        for fact, result in zip(facts, work.each(tasks), strict=True)
    ]


def _check(
    fact: Claim, near: Sequence[Candidate], subject: LayerInput, work: LayerWork
) -> _Fact:
    for hit in near:
        if (hit.similarity or 0.0) > SUPPORTS_ABOVE and not _differs(fact, hit):
            return _Fact(fact, True, "search", hit.similarity, hit.passage.id)
    model = work.tools.text_model
    best = near[0] if near else None
    if model is None:
        # Something like it was found and does not say it; of nothing nothing follows.
        supported = None if best is None else False
        by = NO_MODEL if best is None else "search"
    else:
        passages = [hit.passage.text for hit in near]
        supported = _supports(model, fact.text, passages, subject, work)
        by = "model"
    if best is None:
        return _Fact(fact, supported, by)
    return _Fact(fact, supported, by, best.similarity, best.passage.id)


def _differs(fact: Claim, hit: Candidate) -> bool:
    """Whether a passage lacks a number of the claim, or one of the two denies."""
    text = hit.passage.text
    in_claim, in_passage = (
        quantities(side, fact.language) for side in (fact.text, text)
    )
    denials = [
        bool(negations(words(side, fact.language), fact.language))
        for side in (fact.text, text)
    ]
    return bool(differing(in_claim, in_passage)) or denials[0] != denials[1]


def _supports(
    model: Model,
    claim: str,
    passages: Sequence[str],
    subject: LayerInput,
    work: LayerWork,
) -> bool:
    word = ask_word(
        model,
        (SUPPORTED, REFUTED, UNKNOWN),
        system=SYSTEM,
        user=shown(
            work,
            **question_of(subject),
            passages=[
                middle_cut(passage, MAX_PASSAGE_CHARACTERS) for passage in passages
            ],
            claim=middle_cut(claim, MAX_CLAIM_CHARACTERS),
        ),
        purpose=PURPOSE,
    )
    # As in the paper a fact that nothing supports is not supported.
    return word == SUPPORTED


def _finding(
    checked: Sequence[_Fact], left_out: int, split_reason: str, tools: LayerTools
) -> LayerFinding:
    known = [fact.supported for fact in checked if fact.supported is not None]
    unknown = len(checked) - len(known) + left_out
    gamma = tools.options.fact_length_penalty
    plain, score = precision(known), precision(known, gamma=gamma)
    reasons = [fact.by for fact in checked if fact.supported is None]
    reason = (reasons or [TOO_MANY_FACTS if left_out else ""])[0]
    details = {
        "facts": len(checked) + left_out,
        "supported": sum(known),
        "undecided": unknown,
        "left_out": left_out,
        "precision": plain,
        "length_penalty": gamma,
        "split_by_model": tools.verifier is not None and not split_reason,
        "results": [fact.as_dict() for fact in checked],
    }
    if score is None:
        return inconclusive(reason, **details)
    total = len(known) + unknown
    outcome = decided(lambda yes: yes / total >= PASS_SHARE, sum(known), unknown)
    return settled(outcome, score, reason, **details)
