"""Masking of secrets in a project's runs (ADR 0077)."""

from dataclasses import dataclass, field
from typing import Annotated, Literal, Self, TypeAlias, cast

from django.db import models, transaction
from pydantic import Field

from verifyhub.accounts.models import Project, SecretsKept
from verifyhub.accounts.services import change_project
from verifyhub.common.contract import ContractModel
from verifyhub_client.masking import (
    FIELDS_AS_SENT,
    MAX_PATTERN,
    MAX_PATTERNS,
    PERSONAL,
    Masker,
    OwnPattern,
    PatternError,
)

__all__ = [
    "FIELDS_AS_SENT",
    "MAX_PATTERNS",
    "PERSONAL",
    "Masker",
    "OwnPattern",
    "PatternError",
]

# The syntax of `OwnPattern` as a regular expression: three characters between `?` at
# both ends, and one `*` inside, after, or before them after a `?`.
_OUTER, _INNER = r"[^*?‹›\x00]", r"[^*‹›\x00]"
PATTERN_SHAPE = (
    rf"^(\?*{_OUTER}({_INNER}+|{_INNER}*\*{_INNER}*){_OUTER}\?*"
    rf"|\?*{_OUTER}{_INNER}+{_OUTER}\?*\*\?*"
    rf"|\?+\*\?*{_OUTER}{_INNER}+{_OUTER}\?*)$"
)
PersonalData: TypeAlias = Literal["email", "phone", "card", "iban"]
ShownTo: TypeAlias = Literal["lead", "admin"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskPattern(ContractModel):
    """A pattern of texts to mask."""

    name: Annotated[
        str,
        Field(
            min_length=1,
            max_length=40,
            json_schema_extra={"pattern": "^[a-z][a-z0-9-]*$"},
        ),
    ]
    """Name shown in the mask: lower-case letters, digits and `-`."""
    pattern: Annotated[
        str,
        Field(
            min_length=3,
            max_length=MAX_PATTERN,
            json_schema_extra={"pattern": PATTERN_SHAPE},
        ),
    ]
    """Literal, except `#` for a digit, `?` for a letter or digit, and one `*` for up to
    64 letters, digits, `_`, `.` or `-`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskingSettings(ContractModel):
    """What a project masks and stores."""

    secrets: SecretsKept
    """How runs are stored: `masked`, `sealed` (masked, with the originals encrypted),
    or `as_sent`."""
    personal: tuple[PersonalData, ...] = ()
    """Types of personal data to mask."""
    patterns: Annotated[tuple[MaskPattern, ...], Field(max_length=MAX_PATTERNS)] = (
        field(default=())
    )
    """Custom patterns to mask."""
    shown_to: ShownTo = "admin"
    """The lowest role that may view masked originals, if they are stored."""
    sends_unmasked: Annotated[bool, Field(strict=True)] = False
    """Whether models, webhooks and exports receive texts as stored."""

    @classmethod
    def of(cls, project: Project) -> Self:
        """Return the current settings."""
        return cls(
            secrets=SecretsKept(project.secrets_kept),
            personal=cast("tuple[PersonalData, ...]", tuple(project.personal_masked)),
            patterns=tuple(MaskPattern(**pattern) for pattern in project.mask_patterns),
            shown_to="lead" if project.secrets_shown_to == "lead" else "admin",
            sends_unmasked=project.sends_unmasked,
        )


@transaction.atomic
def set_masking(
    *, project: Project, values: MaskingSettings, actor: models.Model
) -> Project:
    """Set a project's masking; it applies to later runs.

    Args:
        project: The tenant.
        values: The settings.
        actor: The user or API key.

    Raises:
        PatternError: If a pattern is invalid.
    """
    patterns = [
        {"name": pattern.name, "pattern": pattern.pattern}
        for pattern in values.patterns
    ]
    for pattern in patterns:
        OwnPattern(**pattern)
    return change_project(
        project=project,
        values={
            "secrets_kept": str(values.secrets),
            "personal_masked": [name for name in PERSONAL if name in values.personal],
            "mask_patterns": patterns,
            "secrets_shown_to": values.shown_to,
            "sends_unmasked": values.sends_unmasked,
        },
        actor=actor,
        action="accounts.masking_set",
    )
