"""Users, projects (the tenants), memberships and API keys."""

import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.factor_devices import Authenticator, BackupCodes
from verifyhub.accounts.maskers import MaskRules, masker
from verifyhub.common.db import TimestampedModel
from verifyhub_client.masking import Masker

__all__ = [
    "ApiKey",
    "Authenticator",
    "BackupCodes",
    "Invitation",
    "KeyMode",
    "Membership",
    "OidcIdentity",
    "Project",
    "Role",
    "Scope",
    "SecretsKept",
    "Theme",
    "User",
]


class Theme(models.TextChoices):
    """A person's colour theme; empty: the system's."""

    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


class KeyMode(models.TextChoices):
    """A person's mode of keyboard shortcuts (WCAG 2.2, 2.1.4)."""

    LETTERS = "letters", _("Single letters")
    # For screen readers and speech input, which use single letters.
    ALT = "alt", _("Alt + letter")
    OFF = "off", _("Off")


class User(AbstractUser):
    """A person who signs in."""

    # Empty: the browser's.
    language = models.CharField(max_length=10, blank=True, default="", db_default="")
    # A name of the IANA database; empty: the browser's.
    time_zone = models.CharField(max_length=64, blank=True, default="", db_default="")
    theme = models.CharField(
        max_length=5, blank=True, default="", db_default="", choices=Theme
    )
    key_mode = models.CharField(
        max_length=10,
        default=KeyMode.LETTERS,
        db_default=KeyMode.LETTERS,
        choices=KeyMode,
    )
    # Whether a decision leads to the next answer of the queue.
    moves_on = models.BooleanField(default=True, db_default=True)
    # Columns of the review queue by name; none for the defaults.
    queue_columns = ArrayField(
        models.CharField(max_length=20), default=list, db_default=[], blank=True
    )


class SecretsKept(models.TextChoices):
    """How a run with secrets is stored."""

    MASKED = "masked", _("Masked, originals not stored")
    SEALED = "sealed", _("Masked, originals stored encrypted")
    AS_SENT = "as_sent", _("As sent, including secrets")


class OidcIdentity(TimestampedModel):
    """A person's account at the OpenID Connect provider; its name may change."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="identity"
    )
    issuer = models.CharField(max_length=500)
    subject = models.CharField(max_length=255)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["issuer", "subject"], name="oidc_identity_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.subject} at {self.issuer}"


class Project(TimestampedModel):
    """A tenant: every other row belongs to exactly one."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=200)
    # Fields of engine.thresholds.Thresholds that differ from the defaults.
    thresholds = models.JSONField(default=dict, blank=True)
    # Rules about the project's own tools: rows of engine.calls.tool_rules.
    tool_rules = models.JSONField(default=list, blank=True)
    # Names of coded values, and actions of tools: rows of engine.calls.pairs.
    name_pairs = models.JSONField(default=list, db_default=[], blank=True)
    tool_deeds = models.JSONField(default=list, db_default=[], blank=True)
    # The strictness of verifications: engine.presets.strictness.
    strictness = models.CharField(max_length=20, default="balanced")
    # The verifier of runs that name none; empty for the general rules.
    domain = models.CharField(max_length=40, blank=True, default="")
    # The project's own verifiers of domains: rows of engine.presets.domains.
    domains = models.JSONField(default=list, blank=True)
    # When claims of fact are compared with evidence (`verification.check_choices`).
    claims_checked = models.CharField(max_length=20, default="auto", db_default="auto")
    # When detection layers run, and the disabled ones.
    layers_run = models.CharField(
        max_length=20, default="on_request", db_default="on_request"
    )
    layers_off = ArrayField(
        models.CharField(max_length=30), default=list, db_default=[], blank=True
    )
    # How semantic entropy compares meanings (`engine.layers.base.EntropyBy`).
    entropy_by = models.CharField(
        max_length=20, default="entailment", db_default="entailment"
    )
    # The fixed level of risk of all texts; empty to assess each.
    risk_level = models.CharField(max_length=20, blank=True, default="", db_default="")
    # Differences from the built-in risk profiles, by level: engine.risk.profiles.
    risk_profiles = models.JSONField(default=dict, db_default={}, blank=True)
    # How secrets are stored, and which personal data and own patterns count as such
    # (`accounts.masking`).
    secrets_kept = models.CharField(
        max_length=20,
        choices=SecretsKept,
        default=SecretsKept.MASKED,
        db_default=SecretsKept.MASKED,
    )
    personal_masked = ArrayField(
        models.CharField(max_length=20), default=list, db_default=[], blank=True
    )
    mask_patterns = models.JSONField(default=list, db_default=[], blank=True)
    # The lowest role that may see the values of masks.
    secrets_shown_to = models.CharField(
        max_length=20, default="admin", db_default="admin"
    )
    # Whether models, webhooks and exports get unmasked texts.
    sends_unmasked = models.BooleanField(default=False, db_default=False)
    # The lowest role that requires a second factor; empty: none.
    second_factor_from = models.CharField(
        max_length=20, blank=True, default="", db_default=""
    )

    @property
    def project_id(self) -> uuid.UUID:
        """Return its id, by the name that the project's other rows have for it."""
        return self.id

    def __str__(self) -> str:
        return self.name

    def lock(self) -> None:
        """Lock the row against concurrent changes; new runs are not blocked."""
        Project.objects.select_for_update(no_key=True).get(pk=self.pk)

    @property
    def storing_masker(self) -> Masker | None:
        """Masks runs before they are stored; None if they are stored as sent."""
        as_sent = self.secrets_kept == SecretsKept.AS_SENT
        return None if as_sent else masker(settings.SECRET_KEY, self.masks)

    @property
    def outgoing_masker(self) -> Masker | None:
        """Masks outgoing texts; None if a lead disabled it."""
        return None if self.sends_unmasked else masker(settings.SECRET_KEY, self.masks)

    @property
    def masks(self) -> MaskRules:
        """What is masked of its runs, and with whose key."""
        patterns = ((one["name"], one["pattern"]) for one in self.mask_patterns)
        return self.id.bytes, tuple(self.personal_masked), tuple(patterns)


class Role(models.TextChoices):
    """A person's role in a project; each includes the rights of those before it."""

    VIEWER = "viewer", _("Viewer")
    REVIEWER = "reviewer", _("Reviewer")
    LEAD = "lead", _("Lead")
    ADMIN = "admin", _("Admin")


class Membership(TimestampedModel):
    """A person's role in a project."""

    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="memberships"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=20, choices=Role)
    # The strictness of this person's own verifications; empty: the project's.
    strictness = models.CharField(max_length=20, blank=True, default="", db_default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "user"], name="membership_once_per_project"
            ),
            models.CheckConstraint(
                condition=models.Q(role__in=Role.values), name="membership_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} is {self.role} in {self.project_id}"


class Invitation(TimestampedModel):
    """A link with which one person joins a project, stored as its token's SHA-256.

    It ends when it is accepted, withdrawn or expired.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="invitations"
    )
    role = models.CharField(max_length=20, choices=Role)
    # The address of the e-mail with the link; empty if an admin passes it on.
    email = models.EmailField(blank=True, default="", db_default="")
    token_sha256 = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(role__in=Role.values), name="invitation_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} in {self.project_id}"


class Scope(models.TextChoices):
    """A permission of an API key, stored in `ApiKey.scopes`."""

    INGEST = "ingest", _("Send interactions")
    READ = "read", _("Read verdicts, context and exports")
    REVIEW = "review", _("Override verdicts")
    MEMORY = "memory", _("Share preferences and corrections with every session")
    MANAGE = "manage", _("Manage checks, tool schemas, calibrations and reviewers")
    WEBHOOKS = "webhooks", _("Manage webhooks")


class ApiKey(TimestampedModel):
    """A secret that lets a program act for one project.

    The secret itself is shown once and stored only as SHA-256: it has 256 random bits,
    so a slow hash is not needed.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="api_keys"
    )
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=16)
    secret_sha256 = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=20, choices=Scope))
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    # The secret before the last rotation, its expiry, and its last use.
    rotated_at = models.DateTimeField(null=True)
    former_sha256 = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001
    former_prefix = models.CharField(
        max_length=16, blank=True, default="", db_default=""
    )
    former_until = models.DateTimeField(null=True)
    former_used_at = models.DateTimeField(null=True)

    EXPIRES_SOON = timedelta(days=14)

    class Meta:
        indexes = [
            models.Index(fields=["project", "-created_at"], name="api_key_project")
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def scope_words(self) -> list[str]:
        """Return the key's scopes in the viewer's language."""
        return [str(Scope(scope).label) for scope in self.scopes]

    def expires_soon(self, now: datetime) -> bool:
        """Whether the key is valid but expires soon."""
        return self.is_usable(now) and (
            self.expires_at is not None and self.expires_at - now <= self.EXPIRES_SOON
        )

    def former_works(self, now: datetime) -> bool:
        """Whether the former secret is still valid at `now` (aware)."""
        return self.revoked_at is None and (
            self.former_until is not None and now < self.former_until
        )

    def is_usable(self, now: datetime) -> bool:
        """Whether the key is neither revoked nor expired at `now` (aware)."""
        return self.revoked_at is None and (
            self.expires_at is None or now < self.expires_at
        )
