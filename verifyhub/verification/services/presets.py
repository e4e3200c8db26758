"""A project's strictness and domain verifiers."""

from typing import Any

from django.db import transaction

from verifyhub.accounts.models import Project, User
from verifyhub.accounts.services import change_project
from verifyhub.engine.errors import DomainError
from verifyhub.engine.faults import Fault
from verifyhub.engine.presets.domains import BUILT_IN, read_domains
from verifyhub.engine.presets.strictness import Strictness


@transaction.atomic
def update_presets(
    *,
    project: Project,
    strictness: Strictness,
    domain: str,
    domains: list[dict[str, Any]],
    actor: User,
) -> Project:
    """Replace a project's presets; the next verification uses them.

    Args:
        project: The tenant.
        strictness: Its preset.
        domain: The verifier of runs that name none; empty for the general rules.
        domains: Its own verifiers, as rows of `engine.presets.domains`.
        actor: Who changes them.

    Raises:
        DomainError: If a row is invalid, or `domain` is unknown (row 0).
    """
    names = {row.name for row in (*BUILT_IN, *read_domains(domains))}
    if domain and domain not in names:
        raise DomainError({0: Fault("no_verifier", field="domain", name=domain[:40])})
    return change_project(
        project=project,
        values={"strictness": str(strictness), "domain": domain, "domains": domains},
        actor=actor,
        action="accounts.presets_set",
    )
