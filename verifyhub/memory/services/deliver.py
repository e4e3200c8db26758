"""Deliver a context to an agent, and record the delivery."""

from collections import Counter
from dataclasses import dataclass
from uuid import UUID

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.engine.memory.context import AgentContext
from verifyhub.engine.memory.formats import STYLES, ContextFormat, Delivered, deliver
from verifyhub.engine.memory.sections import KINDS, ContextSection
from verifyhub.learning.holdouts import drawn_arms
from verifyhub.memory import selectors
from verifyhub.memory.models import ContextDelivery


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A delivered context, its text, and the id of the row that records it."""

    id: UUID
    context: AgentContext
    delivered: Delivered


def deliver_context(
    *,
    project: Project,
    session_key: str,
    task: str,
    budget: int,
    format: str,  # noqa: A002 - the API's own word
    api_key: ApiKey | None = None,
) -> Delivery:
    """Compile a session's context in a format and record that it was delivered.

    If the project measures a kind of feedback by a holdout, the session's arm is drawn
    and stored, and a held-out session does not receive that kind.

    Args:
        project: The tenant.
        session_key: The client's own name for its session.
        task: What the agent is about to do; entries about it come first.
        budget: The text's size limit in estimated tokens.
        format: One of `ContextFormat`.
        api_key: Who asked; None for the system.
    """
    kind = ContextFormat(format)
    drawn = drawn_arms(
        project=project, session_key=session_key, kinds=set(KINDS.values())
    )
    context = selectors.session_context(
        project=project,
        session_key=session_key,
        task=task,
        budget=budget,
        style=STYLES[kind],
        held_out=tuple(sorted(kind for kind, out in drawn.items() if out)),
    )
    delivered = deliver(
        context.context,
        format=kind,
        session=session_key,
        known=context.known,
    )
    counts = Counter(KINDS[line.section] for line in context.context.lines)
    row = ContextDelivery.objects.create(
        project=project,
        session_id=context.session_id,
        session_key=session_key,
        api_key=api_key,
        sha256=delivered.sha256,
        format=delivered.format.value,
        budget=budget,
        tokens=context.context.estimated_tokens,
        counts=dict(counts),
        entry_ids=_sources(context.context, constraints=False),
        constraint_ids=_sources(context.context, constraints=True),
        held_out=list(context.held_out),
    )
    return Delivery(id=row.id, context=context.context, delivered=delivered)


def _sources(context: AgentContext, *, constraints: bool) -> list[UUID]:
    return [
        UUID(line.source)
        for line in context.lines
        if line.source and (line.section is ContextSection.CONSTRAINTS) is constraints
    ]
