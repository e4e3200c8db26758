"""Claims of fact on the answer page: marks, evidence and texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from verifyhub.common.untrusted import highlighted
from verifyhub.engine.claim_results import (
    ClaimEvidence,
    ClaimResult,
    FactStatus,
    JudgedBy,
    SentenceKind,
)
from verifyhub.engine.claims.judges import JUDGED
from verifyhub.engine.passages import PassageOrigin
from verifyhub.engine.types import Span
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.review.answer_page.words import CHECK_REASONS, words_for
from verifyhub.verification.models import ClaimVerdict, FactWord

# Longer lists are collapsed.
SHOWN_AT_ONCE = 12
TONES: dict[str, str] = {
    FactStatus.VERIFIED: "good",
    FactStatus.CONTRADICTED: "bad",
    FactStatus.AMBIGUOUS: "warn",
    FactStatus.UNKNOWN: "quiet",
    FactWord.RIGHT: "good",
    FactWord.WRONG: "bad",
}
BADGES = {
    "good": "verified",
    "bad": "contradicted",
    "warn": "uncertain",
    "quiet": "unknown",
}
WORDS: dict[str, str | Promise] = {
    FactStatus.VERIFIED: pgettext_lazy("claim", "verified"),
    FactStatus.CONTRADICTED: pgettext_lazy("claim", "contradicted"),
    FactStatus.AMBIGUOUS: pgettext_lazy("claim", "ambiguous"),
    FactStatus.UNKNOWN: pgettext_lazy("claim", "unknown"),
    FactWord.RIGHT: pgettext_lazy("claim", "correct"),
    FactWord.WRONG: pgettext_lazy("claim", "wrong"),
}
MEANINGS: dict[str, str | Promise] = {
    FactStatus.VERIFIED: gettext_lazy("The passage below supports it."),
    FactStatus.CONTRADICTED: gettext_lazy("The passage below contradicts it."),
    FactStatus.AMBIGUOUS: gettext_lazy(
        "The passage below supports it in part, or differs in the details shown under "
        "it."
    ),
    FactStatus.UNKNOWN: gettext_lazy("The evidence is inconclusive."),
}
WHO: dict[str, str | Promise] = {
    JudgedBy.MODEL: gettext_lazy("a model"),
    JudgedBy.LOCAL_JUDGE: gettext_lazy("the judge on this server"),
    JudgedBy.LEDGER: gettext_lazy("what the tools returned"),
    JudgedBy.LOCAL_SIGNALS: gettext_lazy("local signals only, without a judge"),
    JudgedBy.NOBODY: gettext_lazy("no judge"),
}
ORIGINS: dict[str, str | Promise] = {
    PassageOrigin.DOCUMENT: gettext_lazy("a document of the project"),
    PassageOrigin.SOURCE: gettext_lazy("a source sent with the run"),
    PassageOrigin.TOOL_CALL: gettext_lazy("a tool's output"),
    PassageOrigin.FINDING: gettext_lazy("a finding of an earlier run"),
}
REASONS: dict[str, str | Promise] = {
    "not_confirmed": gettext_lazy(
        "the judge's opinions of the claim and of its negation contradict each other"
    ),
    "judge_misled": gettext_lazy(
        "the judge failed a control question, as if a passage addressed it"
    ),
    "judge_disputed": gettext_lazy(
        "the judge verified it, but local signals contradict it"
    ),
    "judge_unreadable": gettext_lazy("the judge's reply was none of the four words"),
    "judge_failed": gettext_lazy("the operator's own judge did not run"),
    "verbatim": gettext_lazy("the passage says it word for word"),
    "number_differs": gettext_lazy("the passage says the same but for one number"),
    "date_differs": gettext_lazy("the passage says the same but for one date"),
    "name_differs": gettext_lazy("the passage says the same but for one name"),
    "negation_differs": gettext_lazy("the passage says the same but for one denial"),
    "sources_part": gettext_lazy("one passage supports it, another one contradicts it"),
    "no_evidence": gettext_lazy("no passage was found"),
    "no_judge": gettext_lazy("local signals are inconclusive, and there is no judge"),
    "not_factual": gettext_lazy("it states no fact"),
    "settled_elsewhere": gettext_lazy("a claim of work done, settled above"),
    "over_limit": gettext_lazy("the limit of claims per answer is reached"),
    "claims_unknown": gettext_lazy("the evidence is inconclusive for some of them"),
    "claims_spoken_against": gettext_lazy("evidence contradicts one or more"),
    "no_claims": gettext_lazy("the answer claims no fact"),
}
NUANCES: dict[str, str | Promise] = {
    "hedged": gettext_lazy("it is a guess there"),
    "reported": gettext_lazy("it is quoted, or a condition"),
    "partial": gettext_lazy("it covers too little of the claim"),
    "several_passages": gettext_lazy("no single passage was enough"),
}
SIGNALS = {
    "number": gettext_lazy("number"),
    "date": gettext_lazy("date"),
    "name": gettext_lazy("name"),
    "negation": gettext_lazy("negation"),
    "quote": gettext_lazy("quoted words"),
}
SIGNAL_PARTS = {
    "claim": gettext_lazy("the answer"),
    "evidence": gettext_lazy("the evidence"),
}
KINDS: dict[str, str | Promise] = {
    SentenceKind.OPINION: gettext_lazy("opinion"),
    SentenceKind.INFERENCE: gettext_lazy("conclusion"),
    SentenceKind.UNCERTAIN: gettext_lazy("marked as uncertain"),
    SentenceKind.PLAN: gettext_lazy("plan"),
    SentenceKind.QUESTION: gettext_lazy("question"),
    SentenceKind.FACTUAL: pgettext_lazy("kind of sentence", "claim of fact"),
}


@dataclass(frozen=True, slots=True)
class EvidencePassage:
    """A passage of evidence with the decisive words marked."""

    title: str
    tool_call: int | None
    """The call that it was taken from; None for other texts."""
    origin_words: str
    html: SafeString
    grade: str
    nuance: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A claim of fact on the page, with a person's decision."""

    index: int
    data: ClaimResult
    row: ClaimVerdict | None

    @property
    def query(self) -> str:
        """The query parameter that selects it."""
        return f"fact={self.index}"

    @property
    def span(self) -> Span:
        """Its position in the answer."""
        return self.data.span

    @property
    def human_status(self) -> str:
        """A person's status; empty without a decision."""
        return self.row.human_status if self.row else ""

    @property
    def machine_status(self) -> str:
        """The verification's status; doubtful if only local signs contradict it."""
        return str(FactStatus.AMBIGUOUS if self.data.is_doubted else self.data.status)

    @property
    def status(self) -> str:
        """The effective status: the person's if there is one."""
        return self.human_status or self.machine_status

    @property
    def machine_word(self) -> str:
        """The label of the verification's status."""
        return words_for(self.machine_status, WORDS)

    @property
    def tone(self) -> str:
        """`good`, `bad`, `warn` or `quiet`."""
        return TONES.get(self.status, "quiet")

    @property
    def badge(self) -> str:
        """The value that determines a badge's colour and shape."""
        return BADGES[self.tone]

    @property
    def label(self) -> str:
        """Its label for screen readers."""
        return pgettext("mark in an answer", "statement")

    @property
    def word(self) -> str:
        """The label of the status, for badges and screen readers."""
        word = words_for(self.status, WORDS)
        return _("%s, by a reviewer") % word if self.human_status else word

    @property
    def css(self) -> str:
        """Its CSS classes, for colour and line."""
        return f"fact fact--{self.tone}"

    @property
    def flag_css(self) -> str:
        """The CSS classes of its flag, with a shape for each colour."""
        return f"fact-flag fact--{self.tone}"

    @property
    def is_quiet(self) -> bool:
        """Whether its flag is a sign alone, so that others stand out."""
        return self.tone in ("good", "quiet")

    @property
    def kind_words(self) -> str:
        return words_for(self.data.kind, KINDS)


def facts_of(
    report: VerificationReport, rows: Mapping[int, ClaimVerdict]
) -> list[Fact]:
    """Combine the report's claims of fact with their rows."""
    return [
        Fact(index, data, rows.get(index)) for index, data in enumerate(report.claims)
    ]


def facts_context(report: VerificationReport, facts: Sequence[Fact]) -> dict[str, Any]:
    """Return the context of the list of claims of fact."""
    checked = [fact for fact in facts if fact.data.is_factual]
    order = {"bad": 0, "warn": 1, "good": 2, "quiet": 3}
    ranked = sorted(checked, key=lambda fact: order[fact.tone])
    check = report.check("claims")
    return {
        "facts": checked,
        "facts_first": ranked[:SHOWN_AT_ONCE],
        "facts_more": ranked[SHOWN_AT_ONCE:],
        "facts_apart": [fact for fact in facts if not fact.data.is_factual],
        "facts_check": check,
        "facts_why": _why(check.reason) if check else "",
    }


def fact_evidence(fact: Fact) -> dict[str, Any]:
    """Return the context of the evidence panel for a claim of fact."""
    data = fact.data
    return {
        "fact": fact,
        "fact_meaning": words_for(fact.machine_status, MEANINGS),
        "fact_judge": words_for(data.judged_by, WHO),
        "fact_passage": _passage(data.evidence) if data.evidence else None,
        "fact_contradicting": [_passage(passage) for passage in data.contradicting],
        "fact_why": "" if data.reason == JUDGED else _why(data.reason),
        "fact_signals": [_signal(passage) for passage in data.signals],
    }


def _why(reason: str) -> str:
    return words_for(reason, {**CHECK_REASONS, **REASONS}) if reason else ""


def _signal(signal: Mapping[str, Any]) -> dict[str, Any]:
    """Return the difference between the words of claim and evidence."""
    kind = str(signal.get("kind", ""))
    parts = []
    for name, value in signal.items():
        if name != "kind":
            words = value if isinstance(value, list | tuple) else [value]
            title = words_for(name, SIGNAL_PARTS)
            parts.append({"title": title, "value": ", ".join(map(str, words))})
    return {"title": words_for(kind, SIGNALS), "parts": parts}


def _passage(evidence: ClaimEvidence) -> EvidencePassage:
    text, deciding = evidence.text, evidence.deciding
    at = text.find(deciding) if deciding else -1
    spans = [(at, at + len(deciding))] if at >= 0 else []
    of_call = evidence.origin is PassageOrigin.TOOL_CALL and evidence.ref.isdecimal()
    return EvidencePassage(
        title=evidence.title,
        tool_call=int(evidence.ref) if of_call else None,
        origin_words=words_for(evidence.origin, ORIGINS),
        html=highlighted(text, spans),
        grade=evidence.grade,
        nuance=words_for(evidence.nuance, NUANCES) if evidence.nuance else "",
    )
