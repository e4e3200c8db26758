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
    """Return the indexed expression for a name without case and `-_. `."""
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
    """Return a condition: a folded name equals one of some names when folded.

    The database folds both sides, since its lower case differs from Python's. All names
    are one array: an expression for each took longer to plan than to run.

    Args:
        name: An alias of `folded`, which has an index.
        names: Names as they are spelt, or a placeholder for them.
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
        # Too old to be shared; it still counts as evidence and as support.
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
        Session,
        null=True,
        on_delete=models.CASCADE,
        related_name="memory",
        db_index=False,
    )
    # Shared with its own session, or with every session; then it has none.
    scope = models.CharField(
        max_length=10, choices=Scope, default=Scope.SESSION, db_default="session"
    )
    # `verified-…`, `unverified-…`, `low-conf-…`, `gaps-…`: makes writing idempotent.
    key = models.CharField(max_length=300)
    kind = models.CharField(max_length=20, choices=Kind)
    state = models.CharField(max_length=20, choices=State, default=State.ACTIVE)
    mention_kind = models.CharField(max_length=30, blank=True)
    mention_key = models.CharField(max_length=500, blank=True)
    text = models.TextField()
    suggestion = models.TextField(blank=True)
    # Why a lead shares it with every session; for people only.
    reason = models.CharField(max_length=500, blank=True, default="", db_default="")
    # A correction's status of the name, or of the whole answer if it has no name:
    # `verified` (right) or `unverified`; empty for other kinds.
    mention_status = models.CharField(max_length=20, blank=True)
    confidence = models.FloatField(null=True)
    # The grade of the evidence for the name, A to C; empty without evidence.
    grade = models.CharField(max_length=1, blank=True, default="", db_default="")
    # Its origin: the interaction, the check or a person's override.
    interaction_id = models.UUIDField(null=True)
    source = models.CharField(max_length=40, choices=Source)
    override_id = models.UUIDField(null=True)
    # The verification that it was learned from, the check, and the first place in the
    # trace that decided; empty for a person's decision.
    verification_id = models.UUIDField(null=True)
    check_name = models.CharField(max_length=40, blank=True, default="", db_default="")
    evidence = models.JSONField(null=True)
    # The person or API key that added it, as named in the audit log.
    author = models.CharField(max_length=200, blank=True, default="", db_default="")
    # Who decided so for every session, and what agrees (`engine.memory.voices`); empty
    # if it applies to its own session only; None for entries from before this column,
    # whose reach stays as it was.
    voices = ArrayField(models.CharField(max_length=80), null=True)
    # The sessions that it applies to; derived from the voices on the same name.
    reach = models.CharField(
        max_length=10, choices=Reach, default=Reach.SESSION, db_default="session"
    )
    # When it stops being shared; None: by the project's limit for its kind.
    expires_at = models.DateTimeField(null=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            # The key's hash, which is shorter. It is also how an answer's entries are
            # found; what people share has no answer, and a key of its own.
            models.UniqueConstraint(
                "interaction_id",
                models.Func(
                    models.F("key"),
                    models.Value(0),
                    function="hashtextextended",
                    output_field=models.BigIntegerField(),
                ),
                name="memory_entry_once_per_answer",
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "mention_kind", "mention_key"],
                name="memory_entry_mention",
            ),
            # The findings of a page too, since they are most of the rows. Without the
            # id, by which few rows of one moment are sorted.
            models.Index(fields=["project", "created_at"], name="memory_entry_made"),
            models.Index(
                fields=["project", "kind", "created_at"],
                condition=models.Q(state="active"),
                name="memory_entry_expiry",
            ),
            # A tab of the page: rare kinds are few among many rows.
            models.Index(
                fields=["project", "kind", "created_at"],
                condition=~models.Q(kind="finding"),
                name="memory_entry_made_of_kind",
            ),
            # Entries shared with every session: few among many rows.
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
            # Spellings of a package are one name.
            models.Index(
                "project",
                folded("mention_key"),
                condition=models.Q(mention_kind="package"),
                name="memory_entry_package",
            ),
            *search_indexes("memory_entry"),
            # A session's newest entries, and its entries on a name.
            models.Index(
                fields=["session", "created_at", "id"],
                condition=models.Q(state="active", session__isnull=False),
                name="memory_entry_of_session",
            ),
            models.Index(
                fields=["session", "mention_key"],
                condition=models.Q(session__isnull=False),
                name="memory_entry_in_session",
            ),
            # Whether evidence showed a name, and the latest evidence of a grade.
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
            # People's corrections of names, read with every answer.
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
    # The right name, if it is known; shared with agents.
    suggestion = models.CharField(max_length=500, blank=True)
    state = models.CharField(max_length=20, choices=State, default=State.CANDIDATE)
    origin = models.CharField(max_length=20, choices=Origin, default=Origin.RECURRENCE)
    # A lead fixed the state, active or retired; it does not change automatically.
    pinned = models.BooleanField(default=False)
    # Maintained by the services from the sightings, so that lists need no join.
    interaction_count = models.PositiveIntegerField(default=0)
    session_count = models.PositiveIntegerField(default=0)
    key_count = models.PositiveIntegerField(default=0, db_default=0)
    first_seen_at = models.DateTimeField(null=True)
    last_seen_at = models.DateTimeField(null=True)
    # Why it is retired: a code (`retired_words`), or a lead's own text; with the code
    # for a merge, the reason is the name that it is merged into.
    retired_code = models.CharField(
        max_length=20, blank=True, default="", db_default=""
    )
    retired_reason = models.CharField(max_length=300, blank=True)
    # When its support first satisfied the project's rule; derived from the sightings.
    shadow_at = models.DateTimeField(null=True)
    # A lead ended its shadow period; evidence and reviewers may still cancel it.
    confirmed_at = models.DateTimeField(null=True)
    # When it was last activated and last deactivated.
    active_at = models.DateTimeField(null=True)
    retired_at = models.DateTimeField(null=True)
    # A lead merged them: this one's sightings and entries count for the other, which
    # alone has a state of its own.
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

    `api_key` and `session` are stored to distinguish recurrence from repetition by one
    key or session, and so that revoking a key can remove its influence.
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
    # The agent according to the answer; may be empty.
    agent = models.CharField(max_length=200, blank=True, default="", db_default="")
    deployment = models.CharField(max_length=200, blank=True, default="", db_default="")
    # False once a reviewer decided that the name was right in this answer.
    counts = models.BooleanField(default=True)

    class Meta:
        constraints = [
            # It is also how an answer's sightings are found.
            models.UniqueConstraint(
                fields=["interaction_id", "constraint"], name="sighting_once_per_answer"
            ),
        ]
        indexes = [
            # Whether a session or a key has stated it before, and when.
            models.Index(
                fields=["constraint", "session", "seen_at"],
                condition=models.Q(counts=True, session__isnull=False),
                name="sighting_in_session_then",
            ),
            models.Index(
                fields=["constraint", "api_key", "seen_at"],
                condition=models.Q(counts=True),
                name="sighting_of_key_then",
            ),
            # The latest answer that stated it, of hundreds of thousands.
            models.Index(
                fields=["constraint", "-counts", "-seen_at", "-id"],
                name="sighting_latest",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.constraint_id} in {self.interaction_id}"


class KeyForgetting(TimestampedModel):
    """The queued removal of a revoked key's influence, and its progress."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    api_key = models.OneToOneField(ApiKey, on_delete=models.CASCADE, related_name="+")
    # The last settled constraint, in the order of their ids.
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
