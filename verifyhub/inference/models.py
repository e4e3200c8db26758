"""Models of a project, their budgets, and the log of calls.

Money is in millionths of a US dollar everywhere, as an integer.
"""

import hashlib
import uuid

from django.db import models

from verifyhub.accounts.models import Project
from verifyhub.common.db import TimestampedModel
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.engine.llm.cost import priced
from verifyhub.engine.llm.endpoint import Dialect

# Outcomes of calls, besides the reasons of `ports.ModelError`.
RUNNING, OK, CACHED, LOST = "running", "ok", "cached", "lost"
FAILURES = (
    "blocked",
    "budget",
    "deadline",
    "malformed",
    "no_tool_call",
    "not_configured",
    "rate_limited",
    "refused",
    "too_large",
    "unreachable",
)
OUTCOMES = (RUNNING, OK, CACHED, LOST, *FAILURES)


TIERS = [(tier.value, tier.value.capitalize()) for tier in Tier]


# The tier of calls of embedding models.
EMBEDDING = "embedding"
CALLED = [*TIERS, (EMBEDDING, "Embedding")]


DIALECTS = [
    (Dialect.OPENAI.value, "OpenAI-compatible"),
    (Dialect.AZURE.value, "Azure OpenAI"),
    (Dialect.ANTHROPIC.value, "Anthropic"),
]


class ModelEndpoint(TimestampedModel):
    """A model endpoint: its address and key."""

    MAX_NAME = 100
    MAX_URL = 500
    MAX_VERSION = 50

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="model_endpoints"
    )
    name = models.CharField(max_length=MAX_NAME)
    dialect = models.CharField(
        max_length=20, choices=DIALECTS, default=Dialect.OPENAI.value
    )
    base_url = models.CharField(max_length=MAX_URL)
    # The API version for Azure and Anthropic; empty: the adapter's default.
    api_version = models.CharField(max_length=MAX_VERSION, blank=True)
    # Encrypted for this row (`sealing`); empty if the endpoint needs none.
    sealed_key = models.TextField(blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], name="model_endpoint_name_once"
            ),
            models.CheckConstraint(
                condition=models.Q(dialect__in=[dialect.value for dialect in Dialect]),
                name="model_endpoint_dialect_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class TierModel(TimestampedModel):
    """A project's model of a tier, instead of the server's own.

    If it is disabled, the tier has no model.
    """

    MAX_MODEL = 200
    DEADLINE_SECONDS = 60
    MAX_OUTPUT_TOKENS = 4096

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="tier_models"
    )
    tier = models.CharField(max_length=20, choices=TIERS)
    # The second verifier of the dual-model mode: its disagreement goes to review.
    is_second = models.BooleanField(default=False)
    is_on = models.BooleanField(default=True)
    endpoint = models.ForeignKey(
        ModelEndpoint, null=True, on_delete=models.PROTECT, related_name="tier_models"
    )
    model = models.CharField(max_length=MAX_MODEL, blank=True)
    # Per million tokens; None: not known, and then only tokens can be capped.
    input_microdollars = models.PositiveBigIntegerField(null=True)
    output_microdollars = models.PositiveBigIntegerField(null=True)
    deadline_seconds = models.PositiveIntegerField(default=DEADLINE_SECONDS)
    max_output_tokens = models.PositiveIntegerField(default=MAX_OUTPUT_TOKENS)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "tier", "is_second"], name="tier_model_once"
            ),
            models.CheckConstraint(
                condition=models.Q(tier__in=[tier.value for tier in Tier]),
                name="tier_model_tier_known",
            ),
            models.CheckConstraint(
                condition=models.Q(is_on=False)
                | (models.Q(endpoint__isnull=False) & ~models.Q(model="")),
                name="tier_model_on_is_whole",
            ),
            models.CheckConstraint(
                condition=models.Q(deadline_seconds__gte=1, max_output_tokens__gte=1),
                name="tier_model_limits_positive",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tier}: {self.model or 'off'}"


class EmbeddingChoice(TimestampedModel):
    """The model that embeds a project's knowledge, instead of the local one."""

    DEADLINE_SECONDS = 60

    project = models.OneToOneField(
        Project, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    endpoint = models.ForeignKey(
        ModelEndpoint, on_delete=models.PROTECT, related_name="embedding_choices"
    )
    model = models.CharField(max_length=TierModel.MAX_MODEL)
    # The dimension of its vectors, from a real call; 0 before that.
    dimension = models.PositiveIntegerField()
    # Per million tokens; None: not known, and then only tokens can be capped.
    input_microdollars = models.PositiveBigIntegerField(null=True)
    deadline_seconds = models.PositiveIntegerField(default=DEADLINE_SECONDS)
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.model} ({self.dimension})"

    @property
    def fingerprint(self) -> str:
        """A digest of the model and its address, 64 hexadecimal digits."""
        at = self.endpoint
        parts = (at.dialect, at.base_url, at.api_version, self.model)
        material = "\0".join((*parts, str(self.dimension)))
        return hashlib.sha256(material.encode()).hexdigest()

    def cost(self, tokens: int) -> int | None:
        """Return micro-dollars for so many tokens, rounded up; None without a price."""
        paid = self.input_microdollars
        return priced((paid, 0 if paid is not None else None), tokens, 0)


class ModelProbe(models.Model):
    """The result of probing a model at an endpoint with a real call.

    Identified by a fingerprint of address, dialect and model, so that the server's own
    endpoint (no project) is stored like a project's.
    """

    project = models.ForeignKey(
        Project, null=True, on_delete=models.CASCADE, related_name="+"
    )
    fingerprint = models.CharField(max_length=64)
    # How it gives structured replies; empty if it does not, for `reason`.
    reply_mode = models.CharField(max_length=20, blank=True)
    reason = models.CharField(max_length=30, blank=True)
    latency_ms = models.PositiveIntegerField(null=True)
    message = models.CharField(max_length=300, blank=True)
    probed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "fingerprint"],
                nulls_distinct=False,
                name="model_probe_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.fingerprint[:12]}: {self.reply_mode or 'nothing'}"


class Budget(models.Model):
    """A project's caps, with the amounts spent and reserved.

    One conditional UPDATE of the project's row admits a call, so that concurrent calls
    never exceed a cap. `day` and `month` are the period of the counters; the first call
    of another one resets them.
    """

    project = models.OneToOneField(
        Project, primary_key=True, on_delete=models.CASCADE, related_name="budget"
    )
    # Caps; None: no cap of the project's own.
    day_microdollars = models.PositiveBigIntegerField(null=True)
    month_microdollars = models.PositiveBigIntegerField(null=True)
    verdict_microdollars = models.PositiveBigIntegerField(null=True)
    day_tokens = models.PositiveBigIntegerField(null=True)
    month_tokens = models.PositiveBigIntegerField(null=True)
    verdict_tokens = models.PositiveBigIntegerField(null=True)
    day_seconds = models.PositiveIntegerField(null=True)
    month_seconds = models.PositiveIntegerField(null=True)
    verdict_calls = models.PositiveIntegerField(null=True)
    calls_at_once = models.PositiveIntegerField(null=True)
    # Counters.
    day = models.DateField(null=True)
    month = models.DateField(null=True)
    day_spent_microdollars = models.PositiveBigIntegerField(default=0)
    month_spent_microdollars = models.PositiveBigIntegerField(default=0)
    day_spent_tokens = models.PositiveBigIntegerField(default=0)
    month_spent_tokens = models.PositiveBigIntegerField(default=0)
    day_spent_ms = models.PositiveBigIntegerField(default=0)
    month_spent_ms = models.PositiveBigIntegerField(default=0)
    reserved_microdollars = models.PositiveBigIntegerField(default=0)
    reserved_tokens = models.PositiveBigIntegerField(default=0)
    reserved_ms = models.PositiveBigIntegerField(default=0)
    calls_running = models.PositiveIntegerField(default=0)
    # The cap that refused the last call; empty if it was admitted.
    refused_by = models.CharField(max_length=40, blank=True)
    refused_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return str(self.project_id)


class VerdictSpend(models.Model):
    """Money that one verification's calls have spent or reserved."""

    # No foreign key: verifications belong to a package above this one.
    verification_id = models.UUIDField(primary_key=True)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    microdollars = models.PositiveBigIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(default=0)
    calls = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.verification_id)


class ModelCall(TimestampedModel):
    """One call of a model: its purpose and usage, without any text.

    While `outcome` is `running` the row is a reservation of the budget until it is
    settled, or until its lease ends with its worker.
    """

    MAX_PURPOSE = 60

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    verification_id = models.UUIDField(null=True)
    purpose = models.CharField(max_length=MAX_PURPOSE)
    tier = models.CharField(max_length=20, choices=CALLED)
    endpoint_name = models.CharField(max_length=ModelEndpoint.MAX_NAME)
    model = models.CharField(max_length=TierModel.MAX_MODEL)
    # The prefix of the SHA-256 of instructions and schema.
    prompt_version = models.CharField(max_length=16, blank=True)
    # The stored opinion that the call created or used; may be empty.
    opinion_key = models.CharField(max_length=64, blank=True)
    outcome = models.CharField(max_length=30, default=RUNNING)
    # As reported by the endpoint; null if it was not.
    input_tokens = models.PositiveBigIntegerField(null=True)
    output_tokens = models.PositiveBigIntegerField(null=True)
    # The charged amount; null without a price.
    cost_microdollars = models.PositiveBigIntegerField(null=True)
    # The charged tokens: the reservation if the endpoint reported none.
    charged_tokens = models.PositiveBigIntegerField(default=0)
    is_estimate = models.BooleanField(default=False)
    # The endpoint reported more than the maximum; the maximum was charged.
    is_overstated = models.BooleanField(default=False)
    latency_ms = models.PositiveIntegerField(null=True)
    reserved_microdollars = models.PositiveBigIntegerField(default=0)
    reserved_tokens = models.PositiveBigIntegerField(default=0)
    reserved_ms = models.PositiveBigIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["project", "created_at"], name="model_call_recent"),
            models.Index(fields=["verification_id"], name="model_call_verification"),
            models.Index(
                fields=["lease_until"],
                condition=models.Q(outcome="running"),
                name="model_call_running",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} by {self.model}: {self.outcome}"


class Opinion(TimestampedModel):
    """A model's valid reply with correct controls, stored for a while."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    # SHA-256 of model, endpoint, purpose and request, without the nonce.
    key = models.CharField(max_length=64)
    value = models.TextField()
    prompt_version = models.CharField(max_length=16)
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="opinion_key_once"),
        ]
        indexes = [models.Index(fields=["expires_at"], name="opinion_expiry")]

    def __str__(self) -> str:
        return self.key[:12]
