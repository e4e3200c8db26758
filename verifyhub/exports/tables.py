"""The tables that can be exported, one entry per kind of row."""

from django.db.models import Case, Exists, OuterRef, Q, Value, When
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import Scope
from verifyhub.exports.dataset import OF_VERIFICATION, Dataset
from verifyhub.exports.schema import (
    ColumnKind,
    ExportColumn,
    flags,
    free,
    ids,
    integers,
    moments,
    numbers,
    text,
)
from verifyhub.exports.value_rows import VALUES
from verifyhub.inference.models import ModelCall
from verifyhub.ingest.models import Interaction
from verifyhub.memory.models import Constraint
from verifyhub.memory.retired_words import RETIRED_IN_ENGLISH
from verifyhub.review.agreement.selectors import TOLD
from verifyhub.review.effect_words import effects_with_text
from verifyhub.review.models import Judgement, Override, ReviewItem
from verifyhub.verification.models import (
    ClaimVerdict,
    MentionVerdict,
    Verification,
)

MICRODOLLARS = "millionths of a US dollar"
FINISHED = Verification.State.FINISHED
# The newest finished verification of an answer has its verdict.
IS_CURRENT = Q(state=FINISHED) & ~Q(
    Exists(
        Verification.objects.filter(
            interaction=OuterRef("interaction"),
            state=FINISHED,
            number__gt=OuterRef("number"),
        )
    )
)


def _answer(path: str) -> tuple[ExportColumn, ...]:
    return (
        ExportColumn("interaction_id", ColumnKind.ID, f"{path}_id"),
        ExportColumn(
            "client_id",
            ColumnKind.TEXT,
            f"{path}__client_id",
            "the sender's own id of it",
        ),
    )


INTERACTIONS = Dataset(
    name="interactions",
    says=_("every task and answer received"),
    model=Interaction,
    columns=(
        *ids("id"),
        *text("client_id"),
        ExportColumn("session", ColumnKind.TEXT, "session__key"),
        *moments("created_at"),
        *text("agent_name", "agent_tier", "agent_role", "parent", "task"),
        ExportColumn("answer", ColumnKind.TEXT, "answer_text"),
        *integers("tool_call_count"),
        ExportColumn(
            "outputs_removed_at",
            ColumnKind.MOMENT,
            says="when inputs and outputs of its tools were removed",
        ),
        *free("self_assessment", "metadata"),
        *integers("run_input_tokens", "run_output_tokens"),
        ExportColumn("run_cost_microdollars", ColumnKind.INTEGER, says=MICRODOLLARS),
        *free("claims", "sources", deep=True),
    ),
    answer="id",
    stored_answers={"answer_text": "answer_sha256"},
)
VERDICTS = Dataset(
    name="verdicts",
    says=_("every verification with its verdict and the reviewers' decisions"),
    model=Verification,
    columns=(
        *_answer("interaction"),
        *integers("number"),
        *text("state", "verdict"),
        ExportColumn("human_verdict", ColumnKind.TEXT, "review_item__human_verdict"),
        ExportColumn("review_state", ColumnKind.TEXT, "review_item__state"),
        *numbers("confidence", "coverage", "completeness"),
        *text("action"),
        *integers("mention_count", "unverified_count", "attempts", "duration_ms"),
        *text("engine_version"),
        *moments("created_at", "finished_at"),
        *ids("id"),
        ExportColumn(
            "is_current",
            ColumnKind.FLAG,
            says="the newest finished verification of its answer",
        ),
        ExportColumn("answered_at", ColumnKind.MOMENT, "interaction__created_at"),
        ExportColumn("agent_name", ColumnKind.TEXT, "interaction__agent_name"),
        ExportColumn("agent_tier", ColumnKind.TEXT, "interaction__agent_tier"),
        *free("report", deep=True),
    ),
    extra={
        "is_current": Case(When(IS_CURRENT, then=Value(True)), default=Value(False))
    },
    verdict="verdict",
    answer="interaction_id",
    item="review_item__id",
    undecided={"human_verdict": "", "review_state": ReviewItem.State.OPEN},
)
MENTIONS = Dataset(
    name="mentions",
    says=_("every name in an answer and its status"),
    model=MentionVerdict,
    columns=(
        *_answer("verification__interaction"),
        ExportColumn("number", ColumnKind.INTEGER, "verification__number"),
        *integers("index"),
        *text("text", "kind", "key", "status", "reason", "grade"),
        *text("suggestion", "human_status"),
        ExportColumn("created_at", ColumnKind.MOMENT, "verification__created_at"),
        *ids("id", "verification_id"),
        ExportColumn(
            "is_counted",
            ColumnKind.FLAG,
            says="whether it counts for or against the answer",
        ),
    ),
    extra={
        "is_counted": Case(
            When(MentionVerdict.COUNTED, then=Value(True)), default=Value(False)
        )
    },
    undecided={"human_status": ""},
    **OF_VERIFICATION,
)
CLAIMS = Dataset(
    name="claims",
    says=_("every claim of fact in an answer, with its evidence"),
    model=ClaimVerdict,
    columns=(
        *_answer("verification__interaction"),
        ExportColumn("number", ColumnKind.INTEGER, "verification__number"),
        *integers("index"),
        *text("text"),
        *integers("start", "end"),
        *text("kind", "status", "judged_by", "reason"),
        *numbers("confidence", "support"),
        *text("human_status"),
        ExportColumn("evidence_title", ColumnKind.TEXT, "evidence__title"),
        ExportColumn("evidence_deciding", ColumnKind.TEXT, "evidence__deciding"),
        ExportColumn("created_at", ColumnKind.MOMENT, "verification__created_at"),
        *ids("id", "verification_id"),
        *free("evidence", "contradicting", deep=True),
    ),
    undecided={"human_status": ""},
    **OF_VERIFICATION,
)
OVERRIDES = Dataset(
    name="overrides",
    says=_("every decision of a reviewer, including undone ones"),
    model=Override,
    columns=(
        *ids("id"),
        *_answer("item__interaction"),
        *text("target"),
        ExportColumn("mention_text", ColumnKind.TEXT, "mention__text"),
        ExportColumn("mention_kind", ColumnKind.TEXT, "mention__kind"),
        *text("before", "after", "reason"),
        ExportColumn("reviewer", ColumnKind.TEXT, "reviewer__username"),
        *moments("created_at", "undone_at"),
        ExportColumn("effects", ColumnKind.JSON, worded=effects_with_text),
        ExportColumn("reason_codes", ColumnKind.TEXTS),
        *text("text"),
        *free("subject"),
    ),
    verdict="item__verification__verdict",
    answer="item__interaction_id",
    item="item_id",
)
JUDGEMENTS = Dataset(
    name="judgements",
    says=_("every reviewer's verdict, once all have judged, and every verdict on gold"),
    model=Judgement,
    columns=(
        *ids("id"),
        *_answer("item__interaction"),
        ExportColumn("agent_name", ColumnKind.TEXT, "item__agent_name"),
        *integers("round"),
        *text("kind"),
        ExportColumn("reviewer", ColumnKind.TEXT, "reviewer__username"),
        *text("verdict"),
        ExportColumn("machine_verdict", ColumnKind.TEXT, "item__machine_verdict"),
        ExportColumn("final_verdict", ColumnKind.TEXT, "item__human_verdict"),
        ExportColumn("gold_verdict", ColumnKind.TEXT, "item__gold__verdict"),
        ExportColumn("reason", ColumnKind.TEXT, "decision__reason"),
        *flags("blind"),
        *integers("seconds"),
        *moments("given_at"),
        *free("decision", deep=True),
    ),
    order=("given_at", "id"),
    made_at="given_at",
    verdict="item__verification__verdict",
    answer="item__interaction_id",
    keep=TOLD,
    item="item_id",
    capability="review.oversee",
    scope=Scope.MANAGE,
)
CONSTRAINTS = Dataset(
    name="constraints",
    says=_("every name that agents must not use"),
    model=Constraint,
    columns=(
        *ids("id"),
        ExportColumn("kind", ColumnKind.TEXT, "mention_kind"),
        ExportColumn("key", ColumnKind.TEXT, "mention_key"),
        *text("text", "suggestion", "state", "origin"),
        *flags("pinned"),
        *integers("interaction_count", "session_count"),
        *moments("first_seen_at", "last_seen_at"),
        *integers("key_count"),
        *moments("shadow_at", "confirmed_at", "active_at", "retired_at"),
        *ids("merged_into_id"),
        ExportColumn("retired_reason", ColumnKind.TEXT, "retired_in_english"),
        *moments("created_at"),
    ),
    extra={"retired_in_english": RETIRED_IN_ENGLISH},
)
MODEL_CALLS = Dataset(
    name="model_calls",
    says=_("every call of a model with its tokens and cost, without its text"),
    model=ModelCall,
    columns=(
        *ids("id"),
        *moments("created_at"),
        *ids("verification_id"),
        *text("purpose", "tier", "model", "endpoint_name", "prompt_version", "outcome"),
        *integers("input_tokens", "output_tokens", "charged_tokens"),
        ExportColumn("cost_microdollars", ColumnKind.INTEGER, says=MICRODOLLARS),
        *flags("is_estimate"),
        *integers("latency_ms"),
    ),
)
TABLES = (
    INTERACTIONS,
    VERDICTS,
    MENTIONS,
    CLAIMS,
    VALUES,
    OVERRIDES,
    JUDGEMENTS,
    CONSTRAINTS,
    MODEL_CALLS,
)
