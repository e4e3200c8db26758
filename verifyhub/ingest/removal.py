"""Writes: remove inputs and outputs of tool calls; the run stays.

A mark replaces each text. Verifying such a run again is refused, since its evidence is
gone.
"""

from collections.abc import Sequence
from uuid import UUID

from django.db import models
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.ingest.models import (
    Interaction,
    MaskedValues,
    OtlpTrace,
    ToolCall,
    TracedAnswer,
)
from verifyhub.ingest.output_services import collect_on_commit
from verifyhub.ingest.output_store import OUTPUTS
from verifyhub.ingest.trace_services import delete_traces


def mark_of(days: int) -> str:
    """Return the mark that replaces a removed text."""
    return f"‹removed after {days} days›"


def remove_outputs(
    project: Project, interactions: Sequence[UUID], *, days: int
) -> dict[str, int]:
    """Remove the inputs and outputs of runs' tool calls, and sealed values.

    Must run inside a transaction that has locked the rows of the runs. The
    OpenTelemetry trace of runs has the same texts: it is deleted with the last of its
    runs.

    Args:
        project: The tenant.
        interactions: The runs.
        days: How long such texts are kept, for the mark.

    Returns:
        Number of changed or deleted rows, by kind.
    """
    rows = Interaction.objects.filter(project=project, pk__in=interactions)
    calls = ToolCall.objects.filter(interaction__in=interactions)
    named_by = calls.exclude(output_sha256=None)
    digests = list(named_by.values_list("output_sha256", flat=True))
    removed = calls.update(
        input={"removed": mark_of(days)},
        output_text=mark_of(days),
        output_packed=None,
        output_length=None,
        output_sha256=None,
    )
    rows.update(outputs_removed_at=timezone.now())
    sealed = MaskedValues.objects.filter(interaction__in=interactions).delete()[0]
    collect_on_commit(OUTPUTS, project.id, [digest for digest in digests if digest])
    return {
        "removed_calls": removed,
        "masked_values": sealed,
        **delete_traces(_traces_of(interactions)),
    }


def _traces_of(interactions: Sequence[UUID]) -> list[UUID]:
    """Return the traces whose runs all have had their texts removed."""
    traced = TracedAnswer.objects.filter(interaction__in=interactions)
    with_texts = TracedAnswer.objects.filter(
        trace=models.OuterRef("pk"), interaction__outputs_removed_at=None
    )
    traces = OtlpTrace.objects.filter(pk__in=traced.values("trace"))
    return list(traces.exclude(models.Exists(with_texts)).values_list("pk", flat=True))
