"""Export decisions as training data, in the formats of TRL and of classifiers.

The columns are those that TRL's trainers read (its "dataset formats": preference,
unpaired preference; conversational or standard), and that `datasets` loads without a
definition of features. By default only people's decisions are included.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import JSONField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Cast, JSONObject
from django.utils.translation import gettext_lazy as _

from verifyhub.common.row_files import Row
from verifyhub.engine.claim_results import FactStatus
from verifyhub.engine.decisions.attempts import is_next_attempt
from verifyhub.engine.reports import Verdict
from verifyhub.exports.dataset import OF_VERIFICATION, WORSE, Dataset, DatasetFilters
from verifyhub.exports.schema import ColumnKind, ExportColumn, ids, text
from verifyhub.ingest.models import Interaction
from verifyhub.learning.models import JudgedAnswer, PreferencePair
from verifyhub.verification.models import (
    ClaimVerdict,
    FactWord,
    MentionVerdict,
    Verification,
)
from verifyhub.verification.models.report_field import part_of

Values = Mapping[str, Any]
PERSON, MACHINE = "person", "machine"
CORRECTION, ATTEMPT = "correction", "attempt"
ENTAILMENT, CONTRADICTION, NEUTRAL = "entailment", "contradiction", "neutral"
# The label of a judged claim by its status and the person's: if both agree, or if the
# evidence was inconclusive. If they contradict each other, either may be wrong about
# the evidence, and the claim is not used.
LABELS: Mapping[tuple[str, str], str] = {
    (FactStatus.VERIFIED, FactWord.RIGHT): ENTAILMENT,
    (FactStatus.CONTRADICTED, FactWord.WRONG): CONTRADICTION,
    **{
        (status, word): NEUTRAL
        for status in (FactStatus.AMBIGUOUS, FactStatus.UNKNOWN)
        for word in FactWord
    },
    (FactStatus.VERIFIED, ""): ENTAILMENT,
    (FactStatus.CONTRADICTED, ""): CONTRADICTION,
    (FactStatus.AMBIGUOUS, ""): NEUTRAL,
    (FactStatus.UNKNOWN, ""): NEUTRAL,
}


def _correction(field: str) -> Subquery:
    pairs = PreferencePair.objects.filter(
        interaction=OuterRef("interaction"), active=True
    )
    return Subquery(pairs.order_by("-decided_at").values(field)[:1])


def _earlier() -> QuerySet[Interaction]:
    return Interaction.objects.filter(
        project=OuterRef("project"), client_id=OuterRef("interaction__parent")
    ).exclude(client_id="")


def _earlier_judged(field: str) -> Subquery:
    judged = JudgedAnswer.objects.filter(
        project=OuterRef("project"),
        interaction__client_id=OuterRef("interaction__parent"),
    )
    return Subquery(judged.values(field)[:1])


def _earlier_action() -> Subquery:
    runs = Verification.objects.filter(
        project=OuterRef("project"),
        interaction__client_id=OuterRef("interaction__parent"),
        state=Verification.State.FINISHED,
    )
    return Subquery(runs.order_by("-number").values("action")[:1])


def _messages(role: str, content: str, filters: DatasetFilters) -> Any:
    """Return a text as it is, or as a conversation with one message."""
    if filters.shape == "standard":
        return content
    return [{"role": role, "content": content}]


def _judgement(human: str, machine: str, filters: DatasetFilters) -> tuple[str, str]:
    """Return a verdict, and who gave it; empty if it does not count."""
    if human:
        return human, PERSON
    return (machine, MACHINE) if filters.undecided else ("", "")


def _decided(filters: DatasetFilters) -> Q:
    return Q() if filters.undecided else ~Q(human_verdict="")


def _pairs(values: Values, filters: DatasetFilters) -> Iterator[Row]:
    task, answer = values["interaction__task"], values["interaction__answer_text"]
    identifier = str(values["interaction_id"])
    shared = {
        "interaction_id": identifier,
        "prompt": _messages("user", task, filters),
    }
    corrected = values["correction"]
    if corrected and corrected != answer:
        yield shared | {
            "id": f"{identifier}-{CORRECTION}",
            "chosen": _messages("assistant", corrected, filters),
            "rejected": _messages("assistant", answer, filters),
            "source": CORRECTION,
            "decided_by": PERSON,
            "reason": values["correction_reason"] or "",
        }
    decided_by = _better_attempt(values, filters)
    if decided_by:
        yield shared | {
            "id": f"{identifier}-{ATTEMPT}",
            "chosen": _messages("assistant", answer, filters),
            "rejected": _messages("assistant", values["earlier_answer"], filters),
            "source": ATTEMPT,
            "decided_by": decided_by,
            "reason": "",
        }


def _better_attempt(values: Values, filters: DatasetFilters) -> str:
    """Return who decided that an answer is better than the previous attempt, if any."""
    if values["earlier_id"] is None or not values["earlier_verdict"]:
        return ""
    verdict, decided_by = _judgement(
        values["human_verdict"], values["verdict"], filters
    )
    earlier_verdict, earlier_decided_by = _judgement(
        values["earlier_human"], values["earlier_verdict"], filters
    )
    follows = is_next_attempt(
        task=values["interaction__task"],
        earlier_task=values["earlier_task"],
        earlier_action=values["earlier_action"] or "",
    )
    if verdict != Verdict.ACCEPT or earlier_verdict not in WORSE or not follows:
        return ""
    return PERSON if (decided_by, earlier_decided_by) == (PERSON, PERSON) else MACHINE


def _completions(values: Values, filters: DatasetFilters) -> Iterator[Row]:
    verdict, by = _judgement(values["human_verdict"], values["verdict"], filters)
    identifier = str(values["interaction_id"])
    shared = {
        "interaction_id": identifier,
        "prompt": _messages("user", values["interaction__task"], filters),
    }
    if verdict in {Verdict.ACCEPT, Verdict.REJECT}:
        answer = values["interaction__answer_text"]
        yield shared | {
            "id": identifier,
            "completion": _messages("assistant", answer, filters),
            "label": verdict == Verdict.ACCEPT,
            "source": "answer",
            "decided_by": by,
        }
    if values["correction"]:
        yield shared | {
            "id": f"{identifier}-{CORRECTION}",
            "completion": _messages("assistant", values["correction"], filters),
            "label": True,
            "source": CORRECTION,
            "decided_by": PERSON,
        }


def _labelled(values: Values, filters: DatasetFilters) -> Iterator[Row]:
    verdict, by = _judgement(values["human_verdict"], values["verdict"], filters)
    if not verdict:
        return
    answer = values["interaction__answer_text"]
    statuses = {entry["index"]: entry["status"] for entry in values["said"] or []}
    yield {
        "id": str(values["interaction_id"]),
        "task": values["interaction__task"],
        "text": answer,
        "label": verdict,
        "spans": [
            {
                "start": start,
                "end": end,
                "text": answer[start:end],
                "kind": mention["kind"],
                "label": statuses.get(index, mention["status"]),
            }
            for index, mention in enumerate(
                part_of(values["stored"] or {}, "mentions") or []
            )
            for start, end in mention.get("spans", [])
        ],
        "decided_by": by,
    }


def _evidence(values: Values, _filters: DatasetFilters) -> Iterator[Row]:
    evidence = values["evidence"]
    label = LABELS.get((values["status"], values["human_status"]))
    premise = evidence.get("text") or evidence.get("deciding") or ""
    if label is None or not premise:
        return
    yield {
        "id": str(values["id"]),
        "interaction_id": str(values["verification__interaction_id"]),
        "premise": premise,
        "hypothesis": values["text"],
        "label": label,
        "deciding": evidence.get("deciding") or "",
        "title": evidence.get("title") or "",
        "decided_by": PERSON if values["human_status"] else MACHINE,
    }


def _shaped(*columns: ExportColumn) -> tuple[ExportColumn, ...]:
    """Return columns with plain texts instead of messages."""
    return tuple(
        ExportColumn(column.name, ColumnKind.TEXT, says=column.says)
        if column.kind is ColumnKind.MESSAGES
        else column
        for column in columns
    )


PAIR_COLUMNS = (
    *ids("id", "interaction_id"),
    ExportColumn("prompt", ColumnKind.MESSAGES),
    ExportColumn("chosen", ColumnKind.MESSAGES),
    ExportColumn("rejected", ColumnKind.MESSAGES),
    ExportColumn(
        "source", ColumnKind.TEXT, says="a person's correction, or a later attempt"
    ),
    ExportColumn("decided_by", ColumnKind.TEXT, says="person or machine"),
    *text("reason"),
)
COMPLETION_COLUMNS = (
    *ids("id", "interaction_id"),
    ExportColumn("prompt", ColumnKind.MESSAGES),
    ExportColumn("completion", ColumnKind.MESSAGES),
    ExportColumn("label", ColumnKind.FLAG, says="whether the completion is wanted"),
    ExportColumn(
        "source", ColumnKind.TEXT, says="the agent's answer, or a person's correction"
    ),
    ExportColumn("decided_by", ColumnKind.TEXT, says="person or machine"),
)
ANSWER = ("interaction_id", "interaction__task", "interaction__answer_text")
STORED = {"interaction__answer_text": "interaction__answer_sha256"}
JUDGED: Mapping[str, Any] = {
    "model": JudgedAnswer,
    "order": ("answered_at", "interaction_id"),
    "made_at": "answered_at",
    "verdict": "verdict",
    "answer": "interaction_id",
}
PREFERENCE_PAIRS = Dataset(
    name="preference_pairs",
    says=_("training data: a better and a worse answer to the same task (DPO)"),
    columns=PAIR_COLUMNS,
    standard=_shaped(*PAIR_COLUMNS),
    extra={
        "correction": _correction("chosen"),
        "correction_reason": _correction("reason"),
        "earlier_id": Subquery(_earlier().values("id")[:1]),
        "earlier_task": Subquery(_earlier().values("task")[:1]),
        "earlier_answer": Subquery(_earlier().values("answer_text")[:1]),
        "earlier_answer_sha256": Subquery(_earlier().values("answer_sha256")[:1]),
        "earlier_human": _earlier_judged("human_verdict"),
        "earlier_verdict": _earlier_judged("verdict"),
        "earlier_action": _earlier_action(),
    },
    keep=Q(correction__isnull=False) | ~Q(interaction__parent=""),
    secret=("interaction_id", "earlier_id"),
    reads=(
        *ANSWER,
        *("human_verdict", "verdict", "correction", "correction_reason"),
        *("earlier_id", "earlier_task", "earlier_answer", "earlier_human"),
        *("earlier_verdict", "earlier_action"),
    ),
    stored_answers={**STORED, "earlier_answer": "earlier_answer_sha256"},
    make_rows=_pairs,
    **JUDGED,
)
LABELLED_COMPLETIONS = Dataset(
    name="labelled_completions",
    says=_("training data: desired and undesired answers (KTO)"),
    columns=COMPLETION_COLUMNS,
    standard=_shaped(*COMPLETION_COLUMNS),
    extra={"correction": _correction("chosen")},
    secret=("interaction_id",),
    reads=(*ANSWER, "human_verdict", "verdict", "correction"),
    stored_answers=STORED,
    make_rows=_completions,
    narrow=lambda filters: _decided(filters) | Q(correction__isnull=False),
    **JUDGED,
)
LABELLED_ANSWERS = Dataset(
    name="labelled_answers",
    says=_("training data: answers with their verdict and the names in them"),
    columns=(
        *ids("id"),
        *text("task", "text"),
        ExportColumn("label", ColumnKind.TEXT, says="accept, uncertain or reject"),
        ExportColumn(
            "spans",
            ColumnKind.SPANS,
            says="half-open ranges in code points of the text",
        ),
        ExportColumn("decided_by", ColumnKind.TEXT, says="person or machine"),
    ),
    extra={
        "stored": Subquery(
            Verification.objects.filter(pk=OuterRef("verification_id")).values(
                document=Cast("report", JSONField())
            )[:1]
        ),
        "said": ArraySubquery(
            MentionVerdict.objects.filter(verification=OuterRef("verification_id"))
            .exclude(human_status="")
            .values(json=JSONObject(index="index", status="human_status"))
        ),
    },
    secret=("interaction_id",),
    reads=(*ANSWER, "human_verdict", "verdict", "stored", "said"),
    stored_answers=STORED,
    make_rows=_labelled,
    narrow=_decided,
    **JUDGED,
)
CLAIM_EVIDENCE = Dataset(
    name="claim_evidence",
    says=_("training data: claims with evidence for or against them (NLI)"),
    model=ClaimVerdict,
    columns=(
        *ids("id", "interaction_id"),
        *text("premise", "hypothesis"),
        ExportColumn(
            "label", ColumnKind.TEXT, says="entailment, neutral or contradiction"
        ),
        ExportColumn(
            "deciding", ColumnKind.TEXT, says="the words of the premise that decided"
        ),
        *text("title"),
        ExportColumn("decided_by", ColumnKind.TEXT, says="person or machine"),
    ),
    keep=Q(evidence__isnull=False, kind="factual"),
    reads=(
        *("id", "verification__interaction_id", "text", "status", "human_status"),
        "evidence",
    ),
    make_rows=_evidence,
    narrow=lambda filters: Q() if filters.undecided else ~Q(human_status=""),
    **OF_VERIFICATION,
)
TRAINING = (
    PREFERENCE_PAIRS,
    LABELLED_COMPLETIONS,
    LABELLED_ANSWERS,
    CLAIM_EVIDENCE,
)
