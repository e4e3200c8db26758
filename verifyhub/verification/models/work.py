"""Mitigation attempts and deliberations, as rows of a queue."""

import uuid
from typing import Any

from django.db import models
from django.utils.translation import pgettext_lazy

from verifyhub.accounts.models import Project
from verifyhub.common.queued_row import QueuedRow, WorkState
from verifyhub.engine.mitigation.rewrite import Rewrite
from verifyhub.engine.mitigation_results import MitigationAction
from verifyhub.ingest.models import Interaction


class MitigationActions(models.TextChoices):
    """An action against a failed answer (requirement E8)."""

    FLAG_UNCERTAIN = (
        MitigationAction.FLAG_UNCERTAIN,
        pgettext_lazy("mitigation", "Flag as uncertain"),
    )
    REQUEST_SOURCES = (
        MitigationAction.REQUEST_SOURCES,
        pgettext_lazy("mitigation", "Request sources"),
    )
    DISCLAIM = (
        MitigationAction.DISCLAIM,
        pgettext_lazy("mitigation", "Add a disclaimer"),
    )
    REGENERATE = (
        MitigationAction.REGENERATE,
        pgettext_lazy("mitigation", "Rewrite"),
    )
    DECOMPOSE_AND_RETRY = (
        MitigationAction.DECOMPOSE_AND_RETRY,
        pgettext_lazy("mitigation", "Split the task and retry"),
    )
    BLOCK = MitigationAction.BLOCK, pgettext_lazy("mitigation", "Block")


class Work(QueuedRow):
    """A text with work to be done on it. The row is the queue (ADR 0003)."""

    State = WorkState
    WAITING = (State.PENDING, State.RUNNING)
    MAX_ASKED_BY = 200

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    # The stored answer it is about, and the verdict it goes by; null for a text that
    # came by itself.
    interaction = models.ForeignKey(
        Interaction, null=True, on_delete=models.CASCADE, related_name="+"
    )
    verification = models.ForeignKey(
        "verification.Verification",
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
    )
    asked_by = models.CharField(max_length=MAX_ASKED_BY)
    task = models.TextField(blank=True)
    # What is to be mitigated, or the draft; of a stored answer a copy.
    text = models.TextField(blank=True)
    sources = models.JSONField(default=list)
    state = models.CharField(max_length=20, choices=State, default=State.PENDING)

    class Meta:
        abstract = True

    @property
    def is_waiting(self) -> bool:
        """Whether a worker has still to finish it."""
        return self.state in self.WAITING


def queue_index(name: str) -> models.Index:
    """Return the index of a table's rows that wait for a worker."""
    return models.Index(
        fields=["created_at", "id"],
        condition=models.Q(state__in=["pending", "running"]),
        name=name,
    )


def work_indexes(name: str) -> list[models.Index]:
    """Return the indexes of a queue, of a project's newest rows and of answers."""
    return [
        queue_index(f"{name}_queue"),
        models.Index(fields=["project", "-created_at", "-id"], name=f"{name}_recent"),
        models.Index(
            fields=["interaction", "-created_at"],
            condition=models.Q(interaction__isnull=False),
            name=f"{name}_of_answer",
        ),
    ]


class MitigationAttempt(Work):
    """One mitigation of a text, with its result."""

    action = models.CharField(max_length=30, choices=MitigationActions)
    # The advice that was given for the text, as in its verdict; null without any.
    advice = models.JSONField(null=True)
    # What the caller says of layers: those that failed, each with its score.
    failed_layers = models.JSONField(default=list)
    # `Rewrite.as_dict`, or for actions that write nothing: `applied` and `shown`.
    result = models.JSONField(null=True)
    # Whether there is a text that may be used; null until it is known.
    offered = models.BooleanField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(state="finished")
                | models.Q(result__isnull=False, offered__isnull=False),
                name="mitigation_finished_has_result",
            ),
        ]
        indexes = work_indexes("mitigation")

    def __str__(self) -> str:
        return f"{self.action} {self.id}: {self.state}"

    @property
    def rewrite(self) -> Rewrite | None:
        """The rewritten text, as its type; None for actions that write nothing."""
        if self.result is None or "applied" in self.result:
            return None
        return Rewrite.from_dict(self.result)


class Deliberation(Work):
    """Draft, critique, fact check and synthesis of one task (requirement D5)."""

    # `Step.as_dict` of each, as far as they are.
    steps = models.JSONField(default=list)

    class Meta:
        indexes = work_indexes("deliberation")

    def __str__(self) -> str:
        return f"deliberation {self.id}: {self.state}"

    def step(self, name: str) -> dict[str, Any]:
        """Return one step; empty before it was begun."""
        return next((step for step in self.steps if step["name"] == name), {})
