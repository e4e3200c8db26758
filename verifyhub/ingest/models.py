"""Sessions, interactions and tool calls, as agents sent them."""

from collections.abc import Mapping
from functools import cache

from django.db import models
from django.db.models import F, Func, IntegerField, Q
from django.db.models.lookups import GreaterThanOrEqual
from django.utils.functional import cached_property

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.common.contract import field_names, sorted_keys
from verifyhub.common.db import TimestampedModel, new_id
from verifyhub.common.moments import timestamp_text
from verifyhub.common.packing import packed, unpacked
from verifyhub.engine import types
from verifyhub.ingest.model_names import model_named
from verifyhub.ingest.output_store import (
    ANSWERS,
    LEAST_BYTES,
    LEAST_CHARACTERS,
    OUTPUTS,
    read_text,
)

# PostgreSQL knows it without decompressing the text.
ANSWER_BYTES = Func(
    F("answer_text"), function="octet_length", output_field=IntegerField()
)
_ANSWER = frozenset({"answer_text", "answer_sha256"})


class Session(TimestampedModel):
    """A conversation or job of an agent, named by the client."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="sessions"
    )
    key = models.CharField(max_length=200)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "key"], name="session_key_once_per_project"
            ),
        ]

    def __str__(self) -> str:
        return self.key


class Interaction(TimestampedModel):
    """One task, the agent's answer and its tool calls; never changed once stored.

    Only results of goal checks are appended to `verification_results`, and texts of
    tools are removed after the days that a project keeps them.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    project = models.ForeignKey(
        Project,
        on_delete=models.CASCADE,
        related_name="interactions",
        db_index=False,
    )
    session = models.ForeignKey(
        Session,
        null=True,
        on_delete=models.CASCADE,
        related_name="interactions",
        db_index=False,
    )
    api_key = models.ForeignKey(
        ApiKey, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    client_id = models.CharField(max_length=200, null=True)  # noqa: DJ001
    # SHA-256 of the canonical content; a client id may be repeated with the same one.
    content_sha256 = models.CharField(max_length=64)
    task = models.TextField()
    # `answer` reads and sets it; if the answer is in the object store, its beginning.
    answer_text = models.TextField(db_column="answer")
    # The key of such an answer.
    answer_sha256 = models.CharField(max_length=64, null=True)  # noqa: DJ001
    agent_name = models.CharField(max_length=200, blank=True)
    agent_tier = models.CharField(max_length=50, blank=True)
    agent_role = models.CharField(max_length=50, blank=True)
    parent = models.CharField(max_length=200, blank=True)
    self_assessment = models.JSONField(null=True)
    claims = models.JSONField(null=True)
    sources = models.JSONField(null=True)
    metadata = models.JSONField(null=True)
    # The agent's report of its work; level 1 checks its form.
    structured_output = models.JSONField(null=True)
    # Files after the run, reported by the agent's side.
    manifest = models.JSONField(null=True)
    # The goal, if it is not the task itself.
    goal = models.TextField(blank=True, default="")
    # agent, orchestrator or moderator; empty: by the agent's role.
    verification_type = models.CharField(max_length=20, blank=True, default="")
    # A moderator's discussion: turns with `speaker` and `text`.
    discussion = models.JSONField(null=True)
    verification_results = models.JSONField(default=list)
    # A tool gateway's signature over its calls, as sent.
    trace_signature = models.JSONField(null=True)
    # The run's own usage as reported by the agent's side; null if not reported. No
    # positive fields: adding their check would scan the whole table under a lock.
    run_input_tokens = models.BigIntegerField(null=True)
    run_output_tokens = models.BigIntegerField(null=True)
    run_cost_microdollars = models.BigIntegerField(null=True)
    # SHA-256 of the context that the agent received; empty if not reported.
    context_sha256 = models.CharField(
        max_length=64, blank=True, default="", db_default=""
    )
    tool_call_count = models.PositiveIntegerField(default=0)
    # When inputs and outputs of its tool calls were removed; the calls stay.
    outputs_removed_at = models.DateTimeField(null=True)
    # Fields of the contract without a column, since no query needs them.
    other_fields = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "client_id"],
                condition=models.Q(client_id__isnull=False),
                name="interaction_client_id_once_per_project",
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "created_at", "id"], name="interaction_by_time"
            ),
            models.Index(
                fields=["session", "created_at", "id"],
                condition=models.Q(session__isnull=False),
                name="interaction_in_session",
            ),
            # The subtasks of an answer, and the answers that follow it.
            models.Index(
                fields=["project", "parent"],
                condition=~models.Q(parent=""),
                name="interaction_parent",
            ),
            models.Index(
                fields=["project", "created_at"],
                condition=~models.Q(context_sha256=""),
                name="interaction_told",
            ),
            models.Index(
                fields=["project", "agent_name", "created_at", "id"],
                condition=~models.Q(agent_name=""),
                name="interaction_by_agent",
            ),
            models.Index(
                fields=["project", "agent_tier", "created_at", "id"],
                condition=~models.Q(agent_tier=""),
                name="interaction_by_tier",
            ),
            models.Index(
                models.F("project"),
                model_named(""),
                "created_at",
                "id",
                name="interaction_by_model",
            ),
            # A few rows: those whose answers may be moved to the object store, and
            # those whose answers are there.
            models.Index(
                fields=["id"],
                condition=Q(
                    GreaterThanOrEqual(ANSWER_BYTES, LEAST_BYTES), answer_sha256=None
                ),
                name="interaction_answer_to_move",
            ),
            models.Index(
                fields=["project", "answer_sha256"],
                condition=Q(answer_sha256__isnull=False),
                name="interaction_stored_answer",
            ),
        ]

    def __str__(self) -> str:
        return self.client_id or str(self.id)

    @cached_property
    def calls(self) -> "list[ToolCall]":
        """The tool calls in order; for many interactions use `selectors.load_calls`."""
        return sorted(self.tool_calls.all(), key=lambda call: call.index)

    @property
    def answer(self) -> str:
        """The complete answer, from the row or the object store.

        Raises:
            ObjectStoreError: If it is in the store and cannot be read.
        """
        if not self.__dict__.keys() >= _ANSWER:
            # Both of one moment: it may have been moved since the row was loaded.
            self.refresh_from_db(fields=list(_ANSWER))
        if self.answer_sha256 is None:
            return self.answer_text
        return self._stored_answer

    @answer.setter
    def answer(self, text: str) -> None:
        self.answer_text = text
        self.answer_sha256 = None

    @property
    def in_engine(self) -> types.Interaction:
        """The engine's value of this run, with marks in place of removed texts."""
        fields = sorted_keys(self.other_fields or {})
        required = field_names(types.Interaction)
        for name, is_nullable in contract_columns().items():
            value = sorted_keys(getattr(self, name))
            fields[name] = value if is_nullable or required[name] else value or None
        usage = types.RunUsage(
            input_tokens=self.run_input_tokens,
            output_tokens=self.run_output_tokens,
            cost_microdollars=self.run_cost_microdollars,
        )
        return types.Interaction(
            id=self.client_id,
            session=self.session.key if self.session else None,
            agent=types.Agent(
                name=self.agent_name, tier=self.agent_tier, role=self.agent_role
            ),
            tool_calls=tuple(call.in_engine for call in self.calls),
            usage=None if usage == types.RunUsage() else usage,
            answer=self.answer,
            **fields,
        )

    @cached_property
    def _stored_answer(self) -> str:
        return read_text(ANSWERS, self.project_id, str(self.answer_sha256))


# Fields of the contract that are stored in another form.
SHAPED = frozenset({"id", "session", "agent", "answer", "tool_calls", "usage"})


@cache
def contract_columns() -> Mapping[str, bool]:
    """Return the fields of the contract with a column, and whether it may be null."""
    columns = {field.name: field.null for field in Interaction._meta.concrete_fields}
    names = field_names(types.Interaction).keys() - SHAPED
    return {name: columns[name] for name in sorted(names & columns.keys())}


class ToolCall(models.Model):
    """One call of a tool, with its complete output."""

    # The table is divided by the months of `interaction`, which every key must contain.
    pk = models.CompositePrimaryKey("interaction", "index")
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    interaction = models.ForeignKey(
        Interaction,
        on_delete=models.CASCADE,
        related_name="tool_calls",
        db_index=False,
    )
    # Position in the run, from 0; evidence in a verdict refers to it.
    index = models.PositiveIntegerField()
    call_id = models.CharField(max_length=200, blank=True)
    tool = models.CharField(max_length=200)
    input = models.JSONField(default=dict)
    # One of the two columns contains the output; `output` reads and sets it.
    output_text = models.TextField(blank=True, default="", db_column="output")
    output_packed = models.BinaryField(null=True)
    # In characters, if the output is compressed or large.
    output_length = models.IntegerField(null=True)
    # The key of an output in the object store; the row then has its beginning.
    output_sha256 = models.CharField(max_length=64, null=True)  # noqa: DJ001
    status = models.CharField(max_length=20)
    started_at = models.DateTimeField(null=True)
    duration_ms = models.PositiveBigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["interaction", "index"], name="tool_call_index_once"
            ),
        ]
        indexes = [
            # A few rows: those to be moved to the object store, and those in it.
            models.Index(
                fields=["interaction", "index"],
                condition=Q(output_sha256=None, output_length__gte=LEAST_CHARACTERS),
                name="tool_call_to_move",
            ),
            models.Index(
                fields=["output_sha256", "project"],
                condition=Q(output_sha256__isnull=False),
                name="tool_call_stored_output",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.index}: {self.tool}"

    @property
    def output(self) -> str:
        """The complete output, from the row (compressed or not) or the object store.

        Raises:
            ObjectStoreError: If it is in the store and cannot be read.
        """
        if self.output_sha256 is not None:
            return self._stored_output
        if self.output_packed is None:
            return self.output_text
        return unpacked(bytes(self.output_packed))

    @output.setter
    def output(self, text: str) -> None:
        self.output_packed = packed(text)
        is_packed = self.output_packed is not None
        self.output_text = "" if is_packed else text
        is_measured = is_packed or len(text) >= LEAST_CHARACTERS
        self.output_length = len(text) if is_measured else None
        self.output_sha256 = None

    @property
    def in_engine(self) -> types.ToolCall:
        """The engine's value of this call, with its output."""
        return types.ToolCall(
            index=self.index,
            id=self.call_id or None,
            tool=self.tool,
            # jsonb does not preserve the order of keys; parsed input has them sorted.
            input=sorted_keys(self.input),
            output=self.output,
            status=types.CallStatus(self.status),
            started_at=timestamp_text(self.started_at) if self.started_at else None,
            duration_ms=self.duration_ms,
        )

    @cached_property
    def _stored_output(self) -> str:
        return read_text(OUTPUTS, self.project_id, str(self.output_sha256))


class MaskedValues(TimestampedModel):
    """The original values of a run's masks, encrypted (`ingest.masking`)."""

    interaction = models.OneToOneField(
        Interaction,
        primary_key=True,
        on_delete=models.CASCADE,
        related_name="masked_values",
    )
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    sealed = models.TextField()

    def __str__(self) -> str:
        return str(self.interaction_id)


class IdempotentReply(TimestampedModel):
    """The first reply to an `Idempotency-Key`, to be repeated."""

    api_key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=255)
    # SHA-256 of method, path and body; another request with the key is refused.
    request_sha256 = models.CharField(max_length=64)
    status_code = models.PositiveSmallIntegerField(null=True)
    body = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["api_key", "key"], name="idempotent_reply_once_per_key"
            ),
        ]
        indexes = [models.Index(fields=["created_at"], name="idempotent_reply_age")]

    def __str__(self) -> str:
        return self.key


# Loaded with the other models; some refer to `Interaction`.
from verifyhub.ingest.bulk_models import Bulk, BulkPart, BulkRefusal  # noqa: E402
from verifyhub.ingest.trace_models import (  # noqa: E402
    OtlpSpan,
    OtlpTrace,
    TracedAnswer,
)

__all__ = [
    "Bulk",
    "BulkPart",
    "BulkRefusal",
    "IdempotentReply",
    "Interaction",
    "MaskedValues",
    "OtlpSpan",
    "OtlpTrace",
    "Session",
    "ToolCall",
    "TracedAnswer",
]
