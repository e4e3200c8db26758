"""One row of everything that an address of the API may name, with ids known before."""

from collections.abc import Mapping
from types import MappingProxyType
from uuid import NAMESPACE_URL, UUID, uuid5

from django.utils import timezone

from tests.factories import (
    CalibrationModelFactory,
    ConstraintFactory,
    OverrideFactory,
    ReviewItemFactory,
)
from tests.ingest.runs import an_interaction
from verifyhub.accounts.models import ApiKey, Project
from verifyhub.engine.mitigation_results import MitigationAction
from verifyhub.events.models import WebhookDelivery, WebhookEndpoint
from verifyhub.events.services import WebhookValues, add_webhook
from verifyhub.exports.models import ExportJob
from verifyhub.ingest.services import record_interaction
from verifyhub.knowledge.services import DocumentValues, save_document
from verifyhub.memory.models import MemoryEntry
from verifyhub.memory.services import put_snapshot
from verifyhub.privacy.models import Deletion
from verifyhub.reports.models import WeeklyReport
from verifyhub.reports.services.weekly import make_report
from verifyhub.review.models import Act, ReviewItem
from verifyhub.verification.models import (
    Batch,
    Deliberation,
    Detection,
    MitigationAttempt,
    ToolSchema,
    Verification,
)
from verifyhub.verification.services import run_verification

# What stands in addresses, by the name of the parameter.
NAMED = ("act_id", "batch_id", "constraint_id", "detection_id", "entry_id", "item_id")
NAMED += ("model_id", "schema_id", "deliberation", "mitigation")
NAMED += ("webhook_id", "delivery_id", "job_id", "id", "deletion_id")


def ids_of(project: str) -> Mapping[str, str]:
    """The ids of a project's rows, by parameter of the address.

    `work_id` is the one of a deliberation or of a mitigation, by the path.
    """
    return MappingProxyType(
        {
            **{name: str(_id(project, name)) for name in NAMED},
            "reference": f"run-of-{project}",
            "session": f"session-of-{project}",
            "document_id": f"manual-of-{project}",
            "name": f"web-of-{project}",
        }
    )


def fill(project: Project, key: ApiKey) -> None:
    """Store one row of each kind under the ids of `ids_of`."""
    slug, ids = project.slug, ids_of(project.slug)
    run, _ = record_interaction(
        project=project,
        api_key=None,
        interaction=an_interaction(id=ids["reference"], session=ids["session"]),
    )
    verification = Verification.objects.get(interaction=run)
    run_verification(verification_id=verification.id)
    ReviewItem.objects.filter(interaction=run).delete()
    item = ReviewItemFactory(
        id=_id(slug, "item_id"), project=project, verification=verification
    )
    OverrideFactory(item=item, undone_at=item.created_at)
    Act.objects.create(
        id=_id(slug, "act_id"), project=project, kind=Act.Kind.BULK, api_key=key
    )
    Batch.objects.create(
        id=_id(slug, "batch_id"), project=project, total=0, asked_by="somebody"
    )
    ConstraintFactory(id=_id(slug, "constraint_id"), project=project)
    _work(project, run.id)
    _told(project)
    MemoryEntry.objects.create(
        id=_id(slug, "entry_id"),
        project=project,
        scope=MemoryEntry.Scope.PROJECT,
        kind=MemoryEntry.Kind.PREFERENCE,
        source=MemoryEntry.Source.LEAD,
        key="preference-1",
        text="Write British English.",
    )
    CalibrationModelFactory(id=_id(slug, "model_id"), project=project)
    Deletion.objects.create(
        id=_id(slug, "deletion_id"), project=project, kind="run", asked_by="somebody"
    )
    ToolSchema.objects.create(
        id=_id(slug, "schema_id"),
        project=project,
        reference="@acme/search/schema#Result",
        tool="search",
        schema={"type": "object"},
    )
    values = DocumentValues(
        title="Manual", text="The tax is 19 percent.", external_id=ids["document_id"]
    )
    save_document(project=project, values=values, actor=key)
    put_snapshot(
        project=project,
        name=ids["name"],
        format_name="requirements.txt",
        data=b"django==5.2\n",
        actor=key,
    )


def _told(project: Project) -> None:
    """What is sent or made for people and tools outside."""
    slug, now = project.slug, timezone.now()
    values = WebhookValues(name="ci", url="https://ci.example.com/hook")
    made, _ = add_webhook(project=project, values=values, actor=None)
    WebhookEndpoint.objects.filter(pk=made.pk).update(id=_id(slug, "webhook_id"))
    WebhookDelivery.objects.create(
        id=_id(slug, "delivery_id"),
        project=project,
        endpoint_id=_id(slug, "webhook_id"),
        event_id=_id(slug, "event"),
        event_type="verification.completed",
        position=1,
        state=WebhookDelivery.State.FAILED,
        next_at=now,
    )
    ExportJob.objects.create(
        id=_id(slug, "job_id"),
        project=project,
        datasets=["mentions"],
        written_as="jsonl",
        asked_by="somebody",
        until=now,
    )
    report = make_report(project=project, now=now)
    WeeklyReport.objects.filter(pk=report.pk).update(id=_id(slug, "id"))


def _work(project: Project, run: UUID) -> None:
    common = {"project": project, "asked_by": "somebody", "text": "It is so."}
    Detection.objects.create(
        id=_id(project.slug, "detection_id"), interaction_id=run, **common
    )
    Deliberation.objects.create(id=_id(project.slug, "deliberation"), **common)
    MitigationAttempt.objects.create(
        id=_id(project.slug, "mitigation"),
        action=str(MitigationAction.REGENERATE),
        **common,
    )


def _id(project: str, name: str) -> UUID:
    return uuid5(NAMESPACE_URL, f"https://tests.invalid/{project}/{name}")
