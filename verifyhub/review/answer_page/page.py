"""The context of the answer page, in a fixed number of queries."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from verifyhub.accounts.models import Membership
from verifyhub.common.kind_words import VALUE_KINDS
from verifyhub.common.prepared import PreparedQuery
from verifyhub.common.untrusted import unmarked
from verifyhub.engine.mitigation_results import VERDICT
from verifyhub.engine.presets.strictness import Strictness
from verifyhub.engine.reports import CompletionClaim, EarlierEvidence, FirstBadStep
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction
from verifyhub.learning.selectors.in_force import calibrators_in_force
from verifyhub.review.answer_page import evidence, words
from verifyhub.review.answer_page.facts import (
    Fact,
    fact_evidence,
    facts_context,
    facts_of,
)
from verifyhub.review.answer_page.levels import levels_of
from verifyhub.review.answer_page.marked_answer import marked_answer
from verifyhub.review.answer_page.marks import (
    MissedMark,
    NameMark,
    ValueMark,
    added_of,
    names_of,
    values_of,
)
from verifyhub.review.answer_page.opinions import opinions_context
from verifyhub.review.answer_page.panel import panel_context
from verifyhub.review.answer_page.similar import decisions_on_name, similar_context
from verifyhub.review.answer_page.timeline import evidence_calls, timeline_context
from verifyhub.review.answer_page.words import (
    CHECK_REASONS,
    DENIED_WORK,
    DO_OR_SAY,
    words_for,
)
from verifyhub.review.decide import reason_choices_and_labels
from verifyhub.review.gold import statements_of
from verifyhub.review.models import Override, ReviewItem
from verifyhub.review.queue import item_judging
from verifyhub.review.selectors import decisions, latest_overrides, report_of, runs_of
from verifyhub.review.support import answer_support, claim_support
from verifyhub.review.visibility import ItemView, view_item
from verifyhub.verification.check_choices import RISK_CHOICES
from verifyhub.verification.models import (
    Detection,
    MentionStatus,
    Verdict,
    Verification,
)
from verifyhub.verification.pages.layer_page import shown
from verifyhub.verification.selectors import (
    earlier_attempts,
    goal_logs,
    latest_detections,
)

ADDED, FACT, VALUE = "added", "fact", "value"
# Longer answers are shown in part, since marking megabytes would stall the browser.
ANSWER_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class Choice:
    """The selected name, claim of work or fact, or addition."""

    kind: str
    index: int

    def __str__(self) -> str:
        return f"{self.kind}={self.index}"


def choice_in(query: Mapping[str, str]) -> Choice | None:
    """Read a selection such as `mention=3` from the query parameters."""
    for kind in ("mention", "claim", FACT, VALUE, ADDED):
        value = query.get(kind, "")
        if value.isdecimal() and len(value) < 8:
            return Choice(kind, int(value))
    return None


@dataclass(frozen=True, slots=True)
class _Marks:
    """All marks of an answer, with their report."""

    report: VerificationReport
    names: Sequence[NameMark]
    facts: Sequence[Fact]
    values: Sequence[ValueMark]
    added: Sequence[MissedMark]

    @property
    def claims(self) -> Sequence[CompletionClaim]:
        """The claims of work done."""
        return self.report.completion_claims


def _waiting_context(
    interaction: Interaction, runs: Sequence[Verification]
) -> dict[str, Any]:
    """Return the context of an answer without a verdict."""
    traced = None
    if (interaction.client_id or "").startswith("otel-"):
        traced = interaction.traced.select_related("trace").first()
    return {
        "interaction": interaction,
        "latest": runs[0] if runs else None,
        "runs": runs,
        "traced": traced,
    }


def answer_context(
    interaction: Interaction,
    runs: Sequence[Verification],
    *,
    query: Mapping[str, str],
    membership: Membership,
    judged: Choice | None = None,
) -> dict[str, Any]:
    """Build the context of an answer page.

    Args:
        interaction: The answer.
        runs: Its verifications, newest first.
        query: The page's parameters: the selection, and `run` for an earlier one.
        membership: The viewer's membership: others' judgements may be hidden.
        judged: What was just judged: the next flagged one is selected; `all_judged`
            if there is none.
    """
    run = _run(runs, query)
    if run is None:
        return _waiting_context(interaction, runs)
    report = report_of(run)
    item = item_judging(run)
    view = view_item(run, item, membership.user)
    overrides = _decisions(view)
    marks = _Marks(
        report,
        names_of(report, view.mentions),
        facts_of(report, view.claims),
        values_of(report, latest_overrides(overrides, Override.Target.VALUE)),
        added_of(overrides),
    )
    names, claims, values = marks.names, marks.claims, marks.values
    following = judged and _next_flagged(judged, marks, overrides)
    choice = following or _valid(choice_in(query), marks) or _first_flagged(marks)
    choices, labels = reason_choices_and_labels(interaction.project_id)
    is_confirmed = view.item and view.item.state == ReviewItem.State.CONFIRMED
    return _waiting_context(interaction, runs) | {
        "run": run,
        "all_judged": judged is not None and following is None,
        "is_newest": _is_newest(run, runs),
        "report": report,
        "item": view.item,
        "none_handed": not view.hidden,
        # Also for a hidden item, since a decision must refer to its version.
        "version": item.version if item else 0,
        "is_open": view.item is None or view.item.state == ReviewItem.State.OPEN,
        **_marked(interaction, marks, choice, query),
        "presets": list(Strictness),
        "verdicts": [v for v in Verdict.choices if v[0] != run.verdict],
        "overrides": overrides,
        # An agreement from before agreements had rows.
        "agreed_long_ago": is_confirmed
        and not any(
            override.target == Override.Target.AGREEMENT and override.undone_at is None
            for override in overrides
        ),
        "reason_choices": choices,
        "reason_labels": labels,
        "latest_override": next((o for o in overrides if not o.undone_at), None),
        "first_bad_step": _first_bad_step(report.first_bad_step),
        "cost": report.cost,
        "names_missing": [name for name in names if name.tone == "unverified"],
        "names_exempt": [name for name in names if name.tone == "exempt"],
        "names_found": [name for name in names if name.tone == "verified"],
        "claims": claims,
        "support": answer_support(
            (name.tone for name in names), report.compared_values
        ),
        "claim_support": claim_support(claims),
        "likely": _likely(interaction, run),
        "values_missing": [value for value in values if value.tone == "unverified"],
        "values_found": [value for value in values if value.tone != "unverified"],
        **facts_context(report, marks.facts),
        "names_added": marks.added,
        "added_places": {str(mark.override.pk): mark.index for mark in marks.added},
        "choice": choice,
        **_evidence_context(interaction, choice, marks, overrides, view.hidden),
        **panel_context(view, membership),
    }


def checks_context(
    interaction: Interaction,
    runs: Sequence[Verification],
    *,
    query: Mapping[str, str],
) -> dict[str, Any]:
    """Return the context of an answer's tool calls and of the checks of its verdict.

    The page of an answer shows them below it, and asks for them once it has loaded.

    Args:
        interaction: The answer.
        runs: Its verifications, newest first.
        query: `run` for an earlier one.
    """
    run = _run(runs, query)
    calls = {
        "interaction": interaction,
        "run": run,
        **timeline_context(interaction, {}),
    }
    if run is None:
        return calls
    report = report_of(run)
    return calls | {
        "report": report,
        "is_newest": _is_newest(run, runs),
        **words.decision_words(report),
        "checks": [
            {
                "check": check,
                "words": words.words_for(check.name, words.CHECKS),
                "why": words.words_for(check.reason, words.CHECK_REASONS),
            }
            for check in report.checks
        ],
        "levels": levels_of(report),
        **opinions_context(run, report),
        **_goal_context(interaction, report),
        **_detections_context(interaction, report),
    }


def _marked(
    interaction: Interaction,
    marks: _Marks,
    choice: Choice | None,
    query: Mapping[str, str],
) -> dict[str, Any]:
    is_whole = "whole" in query
    answer = interaction.answer if is_whole else interaction.answer[:ANSWER_CHARACTERS]
    return {
        "answer": marked_answer(
            answer,
            [*marks.names, *marks.added, *marks.values],
            marks.claims,
            facts=[fact for fact in marks.facts if fact.data.is_factual],
            chosen=str(choice),
            raw="raw" in query,
        ),
        "is_raw": "raw" in query,
        "answer_is_cut": len(answer) < len(interaction.answer),
    }


def _decisions(view: ItemView) -> Sequence[Override]:
    """Return the overrides that the viewer may see; for gold, their own decisions."""
    if view.item is None:
        return []
    if view.masked:
        own = view.judgement
        return statements_of(view.item, own, view.mentions) if own else []
    return decisions(view.item)


def similar_page(interaction: Interaction) -> dict[str, Any]:
    """Return answers like the newest judged state of this one."""
    run = _run(runs_of(interaction), {})
    if run is None:
        return {"similar": []}
    rows = {row.index: row for row in run.mentions.all()}
    names = names_of(report_of(run), rows)
    item = ReviewItem.objects.filter(verification=run).first()
    return similar_context(interaction, item, names)


def _evidence_context(
    interaction: Interaction,
    choice: Choice | None,
    marks: _Marks,
    overrides: Sequence[Override],
    hidden: Collection[UUID],
) -> dict[str, Any]:
    """Return the context of the evidence panel for the selection."""
    if choice is None:
        return {}
    if choice.kind == ADDED:
        return {"added": next(m for m in marks.added if m.index == choice.index)}
    if choice.kind == FACT:
        return fact_evidence(marks.facts[choice.index])
    if choice.kind == VALUE:
        return _value_evidence(interaction, choice, marks)
    if choice.kind == "claim":
        return _claim_evidence(interaction, marks.claims[choice.index])
    name = marks.names[choice.index]
    reason = name.data.reason
    indexes = {place.tool_call for place in name.data.evidence}
    calls = evidence_calls(interaction, indexes)
    return {
        "name": name,
        "places": [
            *evidence.places(name.data, calls),
            *evidence.earlier_places(name.data.earlier_evidence, interaction),
        ],
        "earlier_answers": _earlier_answers(interaction, name.data.earlier_evidence),
        "reason_words": words.words_for(reason, words.MENTION_REASONS),
        # How the nearest name of the trace differs.
        "nearest": str(words.NEARNESS.get(reason, "")),
        "said_before": decisions_on_name(interaction, name, hidden=hidden),
        "grade_words": words.GRADES.get(name.data.grade or "", ""),
        "name_overrides": [
            override
            for override in overrides
            if name.row and override.mention_id == name.row.id
        ],
    }


def _earlier_answers(
    interaction: Interaction, evidences: Sequence[EarlierEvidence]
) -> list[tuple[evidence.EarlierAnswer, str]]:
    """Return each earlier answer once, with its relation to this one as text."""
    answers = (evidence.earlier_answer(answer, interaction) for answer in evidences)
    return [
        (answer, words.words_for(answer.relation, words.RELATIONS))
        for answer in dict.fromkeys(answers)
    ]


def _claim_evidence(interaction: Interaction, claim: CompletionClaim) -> dict[str, Any]:
    calls = evidence_calls(interaction, set(claim.evidence))
    return {
        "claim": claim,
        "claim_words": words.words_for(claim.status, words.CLAIM_STATUSES),
        "claim_badge": words.words_for(claim.status, words.CLAIM_BADGES),
        "places": [
            *(evidence.ending(calls[index]) for index in sorted(calls)),
            *evidence.earlier_places(claim.earlier_evidence, interaction),
        ],
        "earlier_answers": _earlier_answers(interaction, claim.earlier_evidence),
    }


def _value_evidence(
    interaction: Interaction, choice: Choice, marks: _Marks
) -> dict[str, Any]:
    """Return the panel's context for a value: its places and terms."""
    data = marks.report.values[choice.index]
    indexes = {source.call for source in data.evidence if source.call >= 0}
    calls = evidence_calls(interaction, indexes)
    return {
        "value": next(
            (value for value in marks.values if value.index == choice.index),
            ValueMark(choice.index, data),
        ),
        "value_reason": words.words_for(data.reason, words.VALUE_REASONS),
        "value_kind": words.words_for(data.kind, VALUE_KINDS),
        "places": evidence.value_places(data, calls),
    }


def _likely(interaction: Interaction, run: Verification) -> float | None:
    """Return the calibrated probability that the answer is right, 0..1.

    None without a calibration of the project: a raw score is no probability.
    """
    if run.confidence is None:
        return None
    calibrator = calibrators_in_force(interaction.project).get(VERDICT)
    return calibrator.apply(run.confidence) if calibrator else None


_WITH_REPORT = PreparedQuery(lambda run: Verification.objects.filter(pk=run))


def _run(runs: Sequence[Verification], query: Mapping[str, str]) -> Verification | None:
    finished = _finished(runs)
    chosen = [run for run in finished if str(run.number) == query.get("run")]
    for run in chosen or finished:
        return _WITH_REPORT.first(run=run.pk)
    return None


def _is_newest(run: Verification, runs: Sequence[Verification]) -> bool:
    return not any(newer.number > run.number for newer in _finished(runs))


def _finished(runs: Sequence[Verification]) -> list[Verification]:
    return [run for run in runs if run.state == Verification.State.FINISHED]


def _valid(choice: Choice | None, marks: _Marks) -> Choice | None:
    """Return the selection if it exists."""
    if choice is None:
        return None
    if choice.kind == ADDED:
        added = {mark.index for mark in marks.added}
        return choice if choice.index in added else None
    there: dict[str, Sequence[object]] = {
        "mention": marks.names,
        "claim": marks.claims,
        FACT: marks.facts,
        VALUE: marks.report.values,
    }
    return choice if choice.index < len(there[choice.kind]) else None


def _first_flagged(marks: _Marks) -> Choice | None:
    names, facts, values = marks.names, marks.facts, marks.values
    for index, claim in enumerate(marks.claims):
        if claim.is_flagged:
            return Choice("claim", index)
    for fact in facts:
        if fact.tone == "bad" and fact.data.is_factual:
            return Choice(FACT, fact.index)
    for name in names:
        if name.status == MentionStatus.UNVERIFIED and name.tone == "unverified":
            return Choice("mention", name.index)
    wrong = [
        value for value in values if value.data.is_flagged and value.override is None
    ]
    if wrong:
        return Choice(VALUE, wrong[0].index)
    if names:
        return Choice("mention", 0)
    rest = [Choice(FACT, fact.index) for fact in facts]
    return next(iter(rest + [Choice(VALUE, value.index) for value in values]), None)


def _next_flagged(
    judged: Choice, marks: _Marks, overrides: Sequence[Override]
) -> Choice | None:
    """Return the next flagged and unjudged name or claim after one, or the first."""
    names, claims = marks.names, marks.claims
    facts, values = marks.facts, marks.values
    judged_claims = latest_overrides(overrides, Override.Target.CLAIM)
    starts = {
        Choice("mention", name.index): name.spans[0][0] for name in names if name.spans
    }
    starts |= {Choice("claim", at): claim.span[0] for at, claim in enumerate(claims)}
    starts |= {Choice(FACT, fact.index): fact.data.span[0] for fact in facts}
    starts |= {Choice(VALUE, one.index): one.spans[0][0] for one in values}
    waiting = [
        *(
            Choice(VALUE, one.index)
            for one in values
            if one.data.is_flagged and one.override is None
        ),
        *(
            Choice("mention", name.index)
            for name in names
            if name.tone == "unverified" and not name.is_flipped
        ),
        *(
            Choice("claim", at)
            for at, claim in enumerate(claims)
            if claim.is_flagged and at not in judged_claims
        ),
        *(
            Choice(FACT, fact.index)
            for fact in facts
            if fact.tone in ("bad", "warn")
            and fact.data.is_factual
            and not fact.human_status
        ),
    ]
    place = starts.get(judged, 0)
    waiting = [one for one in waiting if one != judged and one in starts]
    return min(
        waiting, key=lambda one: (starts[one] < place, starts[one]), default=None
    )


def _first_bad_step(step: FirstBadStep | None) -> dict[str, Any] | None:
    if step is None:
        return None
    text = words.words_for(step.reason, words.FIRST_BAD_STEPS)
    return {"tool_call": step.tool_call, "words": text}


def _goal_context(
    interaction: Interaction, report: VerificationReport
) -> dict[str, Any]:
    """Return the goal of a report as text, and the result of each attempt."""
    goal = report.goal
    if goal is None:
        return {"goal": None}
    undecided = goal.achieved is None
    chain = [interaction, *earlier_attempts(interaction)]
    result = goal.as_dict()
    return {
        "goal": goal,
        "goal_why": words_for(goal.reason, CHECK_REASONS) if undecided else "",
        "goal_issues": _issues(result),
        "goal_suggestions": [str(DO_OR_SAY)] if goal.denied else goal.suggestions,
        "attempts": [(log, _issues(log.result)) for log in goal_logs(chain)],
        "attempts_made": len(chain),
    }


def _issues(result: Mapping[str, Any]) -> Sequence[str]:
    """Return the missing parts; the ledger's findings in the reader's language."""
    denied = result.get("denied") or ()
    if not denied:
        # A judge's text, or a result from before claims were stored with it.
        return result.get("issues") or ()
    return [
        DENIED_WORK[claim["status"]] % {"claim": unmarked(claim["text"])}
        for claim in denied
    ]


def _detections_context(
    interaction: Interaction, report: VerificationReport
) -> dict[str, Any]:
    rows = latest_detections(interaction)
    return {
        "layers_of_verdict": shown(report.detection),
        "layers_asked": [
            {"row": row, "shown": shown(row.detection_result)}
            for row in rows
            if row.state == Detection.State.FINISHED
        ],
        "layers_waiting": [row for row in rows if row.state in Detection.WAITING],
        "risk_choices": RISK_CHOICES,
        "layers_failed": [row for row in rows if row.state == Detection.State.FAILED],
    }
