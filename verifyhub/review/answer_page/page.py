"""The context of the answer page, in a fixed number of queries."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from verifyhub.accounts.models import Membership
from verifyhub.common.kind_words import VALUE_KINDS
from verifyhub.engine.mitigation_results import VERDICT
from verifyhub.engine.presets.strictness import Strictness
from verifyhub.engine.reports import (
    CompletionClaim,
    EarlierEvidence,
    FirstBadStep,
)
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction, ToolCall, TracedAnswer
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
    Marked,
    MissedMark,
    NameMark,
    ValueMark,
    added_of,
    names_of,
    values_of,
)
from verifyhub.review.answer_page.opinions import opinions_context
from verifyhub.review.answer_page.panel import panel_context
from verifyhub.review.answer_page.similar import said_of_name, similar_context
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
from verifyhub.review.selectors import decisions, report_of, runs_of, value_words
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
from verifyhub.verification.selectors import detections_of, earlier_attempts, goal_logs

ADDED, FACT, VALUE = "added", "fact", "value"
# Longer answers are shown in part first: marking megabytes would stall the browser.
ANSWER_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class Choice:
    """Whose evidence is shown: a name, a claim of work or fact, or what was added."""

    kind: str
    index: int

    def __str__(self) -> str:
        return f"{self.kind}={self.index}"


def choice_in(query: Mapping[str, str]) -> Choice | None:
    """Read `mention=3` or the like of a claim, fact, value or what was added."""
    for kind in ("mention", "claim", FACT, VALUE, ADDED):
        value = query.get(kind, "")
        if value.isdecimal() and len(value) < 8:
            return Choice(kind, int(value))
    return None


def waiting_context(
    interaction: Interaction, runs: Sequence[Verification]
) -> dict[str, Any]:
    """Return what is shown of an answer that has no verdict yet."""
    return {
        "interaction": interaction,
        "latest": runs[0] if runs else None,
        "runs": runs,
        "traced": _traced(interaction),
        **timeline_context(interaction, {}),
    }


def _traced(interaction: Interaction) -> TracedAnswer | None:
    """Return which trace an answer was made of, if it came over OpenTelemetry."""
    if not (interaction.client_id or "").startswith("otel-"):
        return None
    return interaction.traced.select_related("trace").first()


def answer_context(
    interaction: Interaction,
    runs: Sequence[Verification],
    *,
    query: Mapping[str, str],
    membership: Membership | None = None,
    judged: Choice | None = None,
) -> dict[str, Any]:
    """Build the context of an answer page.

    Args:
        interaction: The answer.
        runs: Its verifications, newest first.
        query: The page's parameters: what is chosen, and `run` for an earlier one.
        membership: Who looks: what others judged may be hidden from them (`seen`).
        judged: What was just judged: the next flagged one is chosen. `all_judged` says
            that there is none.
    """
    run = _run(runs, query)
    if run is None:
        return waiting_context(interaction, runs)
    report = report_of(run)
    item = item_judging(run)
    view = view_item(run, item, membership.user if membership else None)
    names = names_of(report, view.mentions)
    claims = report.completion_claims
    overrides = _decisions(view, membership)
    added = added_of(overrides)
    facts = facts_of(report, view.claims)
    values = values_of(report, value_words(overrides))
    choice = _valid(choice_in(query), names, claims, added, facts, len(report.values))
    choice = choice or _first_flagged(names, claims, facts, values)
    following = judged and _next_flagged(
        judged, names, claims, facts, values, overrides
    )
    choice = following or choice
    choices, labels = reason_choices_and_labels(interaction.project_id)
    return waiting_context(interaction, runs) | {
        "run": run,
        "all_judged": judged is not None and following is None,
        "is_newest": not any(newer.number > run.number for newer in _finished(runs)),
        "report": report,
        "item": view.item,
        # Also of an item that is not shown: a decision about it must hit it.
        "version": item.version if item else 0,
        "is_open": view.item is None or view.item.state == ReviewItem.State.OPEN,
        **_marked(interaction, [*names, *added, *values], claims, facts, choice, query),
        "presets": list(Strictness),
        "verdicts": [v for v in Verdict.choices if v[0] != run.verdict],
        "overrides": overrides,
        "agreed_long_ago": _agreed_long_ago(view.item, overrides),
        "reason_choices": choices,
        "reason_labels": labels,
        "latest_override": next((o for o in overrides if not o.undone_at), None),
        **words.decision_words(report),
        "checks": _checks(report),
        "levels": levels_of(report),
        "first_bad_step": _first_bad_step(report.first_bad_step),
        **opinions_context(run, report),
        **goal_context(interaction, report),
        **_names_context(names, claims),
        "support": answer_support(
            (name.tone for name in names), report.compared_values
        ),
        "claim_support": claim_support(claims),
        "likely": _likely(interaction, run),
        **_values_context(values),
        **facts_context(report, facts),
        **detections_context(interaction, report),
        "names_added": added,
        "added_places": {str(mark.override.pk): mark.index for mark in added},
        **evidence_context(
            interaction, choice, names, claims, overrides, hidden=view.hidden
        ),
        **_added_evidence(choice, added),
        **_fact_evidence(choice, facts),
        **_value_evidence(interaction, choice, report, values),
        **(panel_context(view, membership) if membership else {}),
    }


def _marked(
    interaction: Interaction,
    names: Sequence[Marked],
    claims: Sequence[CompletionClaim],
    facts: Sequence[Fact],
    choice: Choice | None,
    query: Mapping[str, str],
) -> dict[str, Any]:
    """Build the answer with everything marked that it holds."""
    is_whole = "whole" in query
    answer = interaction.answer if is_whole else interaction.answer[:ANSWER_CHARACTERS]
    return {
        "answer": marked_answer(
            answer,
            names,
            claims,
            facts=[fact for fact in facts if fact.data.is_factual],
            chosen=str(choice),
            raw="raw" in query,
        ),
        "is_raw": "raw" in query,
        "answer_is_cut": len(answer) < len(interaction.answer),
    }


def _decisions(view: ItemView, membership: Membership | None) -> Sequence[Override]:
    """Return what was decided, as the viewer may see it: of gold, their own words."""
    if view.item is None:
        return []
    if view.masked and membership is not None:
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


def evidence_context(
    interaction: Interaction,
    choice: Choice | None,
    names: Sequence[NameMark],
    claims: Sequence[CompletionClaim],
    overrides: Sequence[Override],
    *,
    hidden: Collection[UUID] = (),
) -> dict[str, Any]:
    """Build what the evidence panel shows of the chosen mention or claim."""
    if choice is None or choice.kind in (ADDED, FACT, VALUE):
        return {"choice": choice}
    if choice.kind == "claim":
        return {"choice": choice} | _claim_evidence(interaction, claims[choice.index])
    name = names[choice.index]
    indexes = {place.tool_call for place in name.data.evidence}
    calls = evidence_calls(interaction, indexes)
    return {
        "choice": choice,
        "name": name,
        "places": [
            *evidence.places(name.data, calls),
            *evidence.earlier_places(name.data.earlier_evidence, interaction),
        ],
        "earlier_answers": _earlier_answers(interaction, name.data.earlier_evidence),
        "reason_words": words.words_for(name.data.reason, words.MENTION_REASONS),
        "nearest": _nearness(name.data.reason),
        "said_before": said_of_name(interaction, name, hidden=hidden),
        "grade_words": words.GRADES.get(name.data.grade or "", ""),
        "name_overrides": [
            override
            for override in overrides
            if name.row and override.mention_id == name.row.id
        ],
    }


def _nearness(reason: str) -> str:
    """Return how the nearest name of the trace differs."""
    return words.words_for(reason, words.NEARNESS) if reason in words.NEARNESS else ""


def _earlier_answers(
    interaction: Interaction, evidences: Sequence[EarlierEvidence]
) -> list[tuple[evidence.EarlierAnswer, str]]:
    """Return each earlier answer once, with how it stands to this one in words."""
    answers = dict.fromkeys(
        evidence.earlier_answer(answer, interaction) for answer in evidences
    )
    return [
        (answer, words.words_for(answer.relation, words.RELATIONS))
        for answer in answers
    ]


def _claim_evidence(interaction: Interaction, claim: CompletionClaim) -> dict[str, Any]:
    calls = evidence_calls(interaction, set(claim.evidence))
    shown: list[ToolCall] = [calls[index] for index in sorted(calls)]
    return {
        "claim": claim,
        "claim_words": words.words_for(claim.status, words.CLAIM_STATUSES),
        "claim_badge": words.words_for(claim.status, words.CLAIM_BADGES),
        "places": [
            *(evidence.ending(call) for call in shown),
            *evidence.earlier_places(claim.earlier_evidence, interaction),
        ],
        "earlier_answers": _earlier_answers(interaction, claim.earlier_evidence),
    }


def _added_evidence(
    choice: Choice | None, added: Sequence[MissedMark]
) -> dict[str, Any]:
    """Return what the panel shows of something that a person added."""
    if choice is None or choice.kind != ADDED:
        return {}
    return {"added": next(mark for mark in added if mark.index == choice.index)}


def _fact_evidence(choice: Choice | None, facts: Sequence[Fact]) -> dict[str, Any]:
    if choice is None or choice.kind != FACT:
        return {}
    return fact_evidence(facts[choice.index])


def _value_evidence(
    interaction: Interaction,
    choice: Choice | None,
    report: VerificationReport,
    values: Sequence[ValueMark],
) -> dict[str, Any]:
    """Return what the panel shows of a value: where it stands, and its terms."""
    if choice is None or choice.kind != VALUE or choice.index >= len(report.values):
        return {}
    data = report.values[choice.index]
    indexes = {source.call for source in data.evidence if source.call >= 0}
    calls = evidence_calls(interaction, indexes)
    return {
        "value": next(
            (value for value in values if value.index == choice.index),
            ValueMark(choice.index, data),
        ),
        "value_reason": words.words_for(data.reason, words.VALUE_REASONS),
        "value_kind": words.words_for(data.kind, VALUE_KINDS),
        "places": evidence.value_places(data, calls),
    }


def _values_context(values: Sequence[ValueMark]) -> dict[str, Any]:
    return {
        "values_missing": [value for value in values if value.tone == "unverified"],
        "values_found": [value for value in values if value.tone != "unverified"],
    }


def _names_context(
    names: Sequence[NameMark], claims: Sequence[CompletionClaim]
) -> dict[str, Any]:
    return {
        "names_missing": [name for name in names if name.tone == "unverified"],
        "names_exempt": [name for name in names if name.tone == "exempt"],
        "names_found": [name for name in names if name.tone == "verified"],
        "claims": claims,
    }


def _likely(interaction: Interaction, run: Verification) -> float | None:
    """Return how likely the verdict's confidence means a right answer, 0..1.

    None while the project's decisions calibrate nothing: a raw score is no probability.
    """
    if run.confidence is None:
        return None
    calibrator = calibrators_in_force(interaction.project).get(VERDICT)
    return calibrator.apply(run.confidence) if calibrator else None


def _run(runs: Sequence[Verification], query: Mapping[str, str]) -> Verification | None:
    finished = _finished(runs)
    chosen = [run for run in finished if str(run.number) == query.get("run")]
    for run in chosen or finished:
        return Verification.objects.prefetch_related("mentions", "claims").get(
            pk=run.pk
        )
    return None


def _finished(runs: Sequence[Verification]) -> list[Verification]:
    return [run for run in runs if run.state == Verification.State.FINISHED]


def _valid(
    choice: Choice | None,
    names: Sequence[NameMark],
    claims: Sequence[CompletionClaim],
    added: Sequence[MissedMark],
    facts: Sequence[Fact],
    values: int,
) -> Choice | None:
    if choice is None:
        return None
    if choice.kind == FACT:
        return choice if choice.index < len(facts) else None
    if choice.kind == VALUE:
        return choice if choice.index < values else None
    if choice.kind == ADDED:
        return choice if any(mark.index == choice.index for mark in added) else None
    marked = names if choice.kind == "mention" else claims
    return choice if choice.index < len(marked) else None


def _first_flagged(
    names: Sequence[NameMark],
    claims: Sequence[CompletionClaim],
    facts: Sequence[Fact],
    values: Sequence[ValueMark],
) -> Choice | None:
    for index, claim in enumerate(claims):
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
    judged: Choice,
    names: Sequence[NameMark],
    claims: Sequence[CompletionClaim],
    facts: Sequence[Fact],
    values: Sequence[ValueMark],
    overrides: Sequence[Override],
) -> Choice | None:
    """Return what is flagged and not judged behind something, else from the top on."""
    judged_claims = {
        override.subject.get("index")
        for override in overrides
        if override.target == Override.Target.CLAIM and override.undone_at is None
    }
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


def _checks(report: VerificationReport) -> list[dict[str, Any]]:
    return [
        {
            "check": check,
            "words": words.words_for(check.name, words.CHECKS),
            "why": words.words_for(check.reason, words.CHECK_REASONS),
        }
        for check in report.checks
    ]


def _agreed_long_ago(item: ReviewItem | None, overrides: Sequence[Override]) -> bool:
    """Whether somebody agreed before agreements were kept beside overrides."""
    return bool(item and item.state == ReviewItem.State.CONFIRMED) and not any(
        override.target == Override.Target.AGREEMENT and override.undone_at is None
        for override in overrides
    )


def _first_bad_step(step: FirstBadStep | None) -> dict[str, Any] | None:
    if step is None:
        return None
    text = words.words_for(step.reason, words.FIRST_BAD_STEPS)
    return {"tool_call": step.tool_call, "words": text}


def goal_context(
    interaction: Interaction, report: VerificationReport
) -> dict[str, Any]:
    """Return the goal of a report, in words, and what each attempt came to."""
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
    """Return what is missing; findings of the ledger in the reader's language."""
    denied = result.get("denied") or ()
    if not denied:
        # A judge's words, or a result of before the claims were kept beside theirs.
        return result.get("issues") or ()
    return [DENIED_WORK[claim["status"]] % {"claim": claim["text"]} for claim in denied]


# Older runs of an answer's layers stand on the page of detections.
SHOWN = 5


def detections_context(
    interaction: Interaction, report: VerificationReport
) -> dict[str, Any]:
    """Return what the answer page shows of risk and layers.

    Args:
        interaction: The answer.
        report: The verdict that is shown.
    """
    rows = list(detections_of(interaction)[:SHOWN])
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
