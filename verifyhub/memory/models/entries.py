"""Entries of a session, and constraints shared by a project."""

from collections.abc import Iterable

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.common.db import TimestampedModel, new_id
from verifyhub.common.prepared import Place
from verifyhub.engine.memory.spelling import JOINTS
from verifyhub.ingest.models import Session
from verifyhub.memory.models.search_expressions import search_indexes
from verifyhub.memory.retired_words import retired_words

_JOINTS = f"[{JOINTS}]+"


def folded(field: str) -> Lower:
    """Return the expression for a name without case and joints; it is indexed."""
    return Lower(
        models.Func(
            models.F(field),
            models.Value(_JOINTS),
            models.Value(""),
            models.Value("g"),
            function="regexp_replace",
            output_field=models.CharField(),
        )
    )


def is_folded_like(name: str, names: Iterable[str] | Place) -> models.Func:
    """Return whether a folded name equals one of some names, ignoring joints and case.

    The database folds both sides: its notion of case is not Python's. One array holds
    all names: an expression for each took longer to write and to plan than to run.

    Args:
        name: An alias of `folded`; its index serves this.
        names: Names as they are spelt, or where they go.
    """
    array: models.Expression = (
        names
        if isinstance(names, Place)
        else models.Value(list(names), output_field=ArrayField(models.TextField()))
    )
    folded_ones = models.Func(
        array,
        template="(ARRAY(SELECT LOWER(REGEXP_REPLACE(one, %(joints)s, '', 'g'))"
        " FROM UNNEST(%(expressions)s::text[]) AS one))",
        joints=f"'{_JOINTS}'",
    )
    return models.Func(
        models.F(name),
        folded_ones,
        template="%(expressions)s",
        arg_joiner=" = ANY ",
        output_field=models.BooleanField(),
    )


class MemoryEntry(TimestampedModel):
    """An entry learned from an answer (requirement A12) or given by a person (A14)."""

    class Kind(models.TextChoices):
        FINDING = "finding", _("Finding")
        BLOCKER = "blocker", _("Blocker")
        GAP = "gap", _("Gap")
        CORRECTION = "correction", _("Correction")
        PREFERENCE = "preference", _("Preference")

    class Scope(models.TextChoices):
        SESSION = "session", _("This session")
        PROJECT = "project", _("Every session of the project")

    class State(models.TextChoices):
        ACTIVE = "active", _("Active")
        SUPERSEDED = "superseded", _("Superseded")
        RETRACTED = "retracted", _("Retracted")
        # Too old to be shared; as evidence and as support it goes on counting.
        EXPIRED = "expired", _("Expired")

    class Source(models.TextChoices):
        VERIFICATION = "verification", _("Verification")
        REVIEWER = "reviewer", _("Reviewer")
        LEAD = "lead", _("Lead")

    class Reach(models.TextChoices):
        SESSION = "session", _("This session only")
        NAME = "name", _("All sessions, without the suggested name")
        PROJECT = "project", _("All sessions")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    session = models.ForeignKey(
        Session, null=True, on_delete=models.CASCADE, related_name="memory"
    )
    # Told to its own session, or to every one; then it has no session.
    scope = models.CharField(
        max_length=10, choices=Scope, default=Scope.SESSION, db_default="session"
    )
    # `verified-…`, `unverified-…`, `low-conf-…`, `gaps-…`: so that writing the same
    # thing twice changes nothing.
    key = models.CharField(max_length=300)
    kind = models.CharField(max_length=20, choices=Kind)
    state = models.CharField(max_length=20, choices=State, default=State.ACTIVE)
    mention_kind = models.CharField(max_length=30, blank=True)
    mention_key = models.CharField(max_length=500, blank=True)
    text = models.TextField()
    suggestion = models.TextField(blank=True)
    # Why a lead tells it to all; for people, agents are not told.
    reason = models.CharField(max_length=500, blank=True, default="", db_default="")
    # What a correction says of the name, or of the whole answer where it names none:
    # `verified` (it is right) or `unverified`; empty for every other kind.
    mention_status = models.CharField(max_length=20, blank=True)
    confidence = models.FloatField(null=True)
    # Of the evidence that showed the name, A to C; empty where none did.
    grade = models.CharField(max_length=1, blank=True, default="", db_default="")
    # Where it comes from: the interaction, the check or a person's override.
    interaction_id = models.UUIDField(null=True)
    source = models.CharField(max_length=40, choices=Source)
    override_id = models.UUIDField(null=True)
    # The verification whose report taught it, the check that found it, and the first
    # place in the trace that decided; empty for what a person said.
    verification_id = models.UUIDField(null=True)
    check_name = models.CharField(max_length=40, blank=True, default="", db_default="")
    evidence = models.JSONField(null=True)
    # The person or API key that said it, as the audit log names them.
    author = models.CharField(max_length=200, blank=True, default="", db_default="")
    # Who said it to every session, and what agrees (`engine.memory.voices`); empty
    # where it is meant for its own session, None for what was said before this was
    # kept: that goes on holding as it did.
    voices = ArrayField(models.CharField(max_length=80), null=True)
    # How far it reaches; derived from the voices of all who spoke of the same.
    reach = models.CharField(
        max_length=10, choices=Reach, default=Reach.SESSION, db_default="session"
    )
    # When it stops being shared; None for as long as the project's rule for its kind.
    expires_at = models.DateTimeField(null=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "session", "key"],
                nulls_distinct=False,
                name="memory_entry_once_per_session",
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "mention_kind", "mention_key"],
                name="memory_entry_mention",
            ),
            models.Index(
                fields=["project", "interaction_id"], name="memory_entry_interaction"
            ),
            models.Index(
                fields=["project", "created_at", "id"], name="memory_entry_by_time"
            ),
            models.Index(
                fields=["project", "kind", "created_at"],
                condition=models.Q(state="active"),
                name="memory_entry_expiry",
            ),
            # A tab of the page: of the rare kinds there are few among very many.
            models.Index(
                fields=["project", "kind", "-created_at", "-id"],
                name="memory_entry_of_kind",
            ),
            # What is told to every session: few rows among many.
            models.Index(
                fields=["project", "-created_at", "-id"],
                condition=models.Q(state="active", scope="project"),
                name="memory_entry_shared",
            ),
            models.Index(
                fields=["expires_at"],
                condition=models.Q(state="active", expires_at__isnull=False),
                name="memory_entry_expires",
            ),
            # Packages have one name however they are spelt (`name_group`).
            models.Index(
                "project",
                folded("mention_key"),
                condition=models.Q(mention_kind="package"),
                name="memory_entry_package",
            ),
            *search_indexes("memory_entry"),
            # What a session received last, and what it knows of a name.
            models.Index(
                fields=["session", "created_at", "id"],
                condition=models.Q(state="active", session__isnull=False),
                name="memory_entry_of_session",
            ),
            models.Index(
                fields=["session", "mention_key"],
                condition=~models.Q(mention_key=""),
                name="memory_entry_named",
            ),
            # Whether evidence showed a name, and when last that of one grade.
            models.Index(
                fields=[
                    "project",
                    "mention_kind",
                    "mention_key",
                    "grade",
                    "-created_at",
                ],
                condition=models.Q(kind="finding"),
                name="memory_entry_proven",
            ),
            # What people said of names, asked with every answer.
            models.Index(
                "project",
                folded("mention_key"),
                condition=models.Q(kind="correction"),
                name="memory_entry_corrected",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


class Constraint(TimestampedModel):
    """A name that a project's agents keep inventing, shared with all sessions (A14)."""

    class State(models.TextChoices):
        CANDIDATE = "candidate", _("Candidate")
        SHADOW = "shadow", _("Observation")
        ACTIVE = "active", _("Active")
        RETIRED = "retired", _("Retired")

    class Origin(models.TextChoices):
        RECURRENCE = "recurrence", _("Recurred in several sessions")
        REVIEWER = "reviewer", _("Confirmed by a reviewer")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    project = models.ForeignKey(
        Project,
        on_delete=models.CASCADE,
        related_name="constraints",
        db_index=False,
    )
    mention_kind = models.CharField(max_length=30)
    mention_key = models.CharField(max_length=500)
    text = models.CharField(max_length=500)
    # The right name, where it is known: agents receive it.
    suggestion = models.CharField(max_length=500, blank=True)
    state = models.CharField(max_length=20, choices=State, default=State.CANDIDATE)
    origin = models.CharField(max_length=20, choices=Origin, default=Origin.RECURRENCE)
    # A lead fixed the state, active or retired: nothing automatic changes it.
    pinned = models.BooleanField(default=False)
    # Kept by the services from the sightings; here so that lists need no join.
    interaction_count = models.PositiveIntegerField(default=0)
    session_count = models.PositiveIntegerField(default=0)
    key_count = models.PositiveIntegerField(default=0, db_default=0)
    first_seen_at = models.DateTimeField(null=True)
    last_seen_at = models.DateTimeField(null=True)
    # Why it is retired: a code (`retired_words`), or else a lead's own words; the name
    # that it is merged into stands beside its code.
    retired_code = models.CharField(
        max_length=20, blank=True, default="", db_default=""
    )
    retired_reason = models.CharField(max_length=300, blank=True)
    # When its support first satisfied the project's rule; derived from the sightings.
    shadow_at = models.DateTimeField(null=True)
    # A lead let it leave the shadow; evidence and reviewers may still cancel it.
    confirmed_at = models.DateTimeField(null=True)
    # When it last came into force and last left it.
    active_at = models.DateTimeField(null=True)
    retired_at = models.DateTimeField(null=True)
    # A lead said that both are one name: this one's sightings, and what is known of
    # it, count for the other, and only the other has a state of its own.
    merged_into = models.ForeignKey(
        "self",
        null=True,
        on_delete=models.SET_NULL,
        related_name="merged",
        db_index=False,
    )
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "mention_kind", "mention_key"],
                name="constraint_once_per_name",
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "state", "-last_seen_at"], name="constraint_state"
            ),
            models.Index(
                "project",
                "mention_kind",
                folded("mention_key"),
                name="constraint_folded",
            ),
            models.Index(
                fields=["merged_into"],
                condition=models.Q(merged_into__isnull=False),
                name="constraint_merged",
            ),
            *search_indexes("constraint"),
            models.Index(
                fields=["project"],
                condition=models.Q(pinned=True, state="active"),
                name="constraint_pinned",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mention_kind} {self.text}: {self.state}"

    @property
    def why_retired(self) -> str:
        """Why it is retired, in the reader's language; empty while it is not."""
        return retired_words(self.retired_code, self.retired_reason)


class Sighting(TimestampedModel):
    """One interaction that stated a constraint's name without evidence.

    `api_key` and `session` are kept so that one key or one session alone can be told
    from recurrence, and so that revoking a key can remove its influence.
    """

    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    constraint = models.ForeignKey(
        Constraint,
        on_delete=models.CASCADE,
        related_name="sightings",
        db_index=False,
    )
    session = models.ForeignKey(
        Session, null=True, on_delete=models.CASCADE, related_name="+"
    )
    api_key = models.ForeignKey(
        ApiKey, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    interaction_id = models.UUIDField()
    seen_at = models.DateTimeField(default=timezone.now)
    # Whose agent answered, as the answer says; empty where it does not.
    agent = models.CharField(max_length=200, blank=True, default="", db_default="")
    deployment = models.CharField(max_length=200, blank=True, default="", db_default="")
    # False once a reviewer said that the name was right in this answer.
    counts = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["constraint", "interaction_id"], name="sighting_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "interaction_id"], name="sighting_interaction"
            ),
            # Whether a session, and a key, has named it before, and lately.
            models.Index(
                fields=["constraint", "session", "seen_at"],
                condition=models.Q(counts=True),
                name="sighting_of_session_then",
            ),
            models.Index(
                fields=["constraint", "api_key", "seen_at"],
                condition=models.Q(counts=True),
                name="sighting_of_key_then",
            ),
            # The answer that last named it, of hundreds of thousands.
            models.Index(
                fields=["constraint", "-counts", "-seen_at", "-id"],
                name="sighting_latest",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.constraint_id} in {self.interaction_id}"


class KeyForgetting(TimestampedModel):
    """The removal of a revoked key's influence: the queued work, and its progress."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    api_key = models.OneToOneField(ApiKey, on_delete=models.CASCADE, related_name="+")
    # Constraints are settled in the order of their ids; this one was the last.
    last_constraint = models.UUIDField(null=True)
    constraint_count = models.PositiveIntegerField(default=0)
    sighting_count = models.PositiveIntegerField(default=0)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["id"],
                condition=models.Q(finished_at__isnull=True),
                name="key_forgetting_open",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.api_key_id}: {self.constraint_count} constraints"
