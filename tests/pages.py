"""Every page of the product by the name of its URL, and a project in which all show."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import AbstractBaseUser
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from tests.events.furnished import furnish_webhooks
from tests.factories import (
    ApiKeyFactory,
    ConstraintFactory,
    MembershipFactory,
    ModelCallFactory,
)
from tests.ingest.otlp.spans import a_span
from tests.ingest.transcripts import as_lines, claude_code_lines
from tests.reports.furnish import furnish_reports
from verifyhub.accounts.invitations import invite
from verifyhub.accounts.models import Project, Role
from verifyhub.engine.calibration.measures import reliability
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.exports.models import Destination, ExportJob, Schedule
from verifyhub.inference.models import Budget, ModelEndpoint, TierModel
from verifyhub.inference.services import (
    save_endpoint,
    set_caps,
    set_tier,
)
from verifyhub.ingest.models import Bulk, BulkRefusal, Interaction, OtlpTrace
from verifyhub.ingest.trace_reading import read_trace
from verifyhub.ingest.trace_services import receive_spans
from verifyhub.knowledge.models import EmbeddingSpace
from verifyhub.knowledge.services import DocumentValues, save_document
from verifyhub.learning.models import CalibrationModel
from verifyhub.memory.models import MemoryEntry
from verifyhub.memory.services import put_snapshot
from verifyhub.privacy.deletions import open_deletion
from verifyhub.privacy.models import Deletion
from verifyhub.review.decide import advance_act, override_mention, override_verdict
from verifyhub.review.decide.bulk import open_bulk
from verifyhub.review.decisions import Decision
from verifyhub.review.gold import mark_gold
from verifyhub.review.models import ReviewItem
from verifyhub.verification.models import Deliberation, MitigationAttempt
from verifyhub.verification.services import (
    LayersRequest,
    keep_upload,
    open_answer_detection,
    open_batch,
    put_tool_schema,
    run_detection,
)

# The name of a page's URL and the queries to open it by.
PAGES: Mapping[str, tuple[str, ...]] = {
    "review:queue": ("?all=1", "?text=nowhere", "?state=resolved"),
    "review:start": ("",),
    "review:team": ("",),
    "review:many": ("?all=1&form=agree", "?all=1&form=override"),
    "review:act": ("",),
    "review:answer-list": ("", "?text=nowhere"),
    "review:answer-batch": ("?verdict=reject",),
    "review:batch": ("",),
    "review:go": ("?text=price", "?text=nowhere"),
    "review:run-list": ("",),
    "review:run-detail": ("",),
    "project-list": ("",),
    "review:answer-detail": ("", "?raw", "?mention=0"),
    "review:answer-checks": ("",),
    "review:answer-ledger": ("",),
    "review:answer-timeline": ("?find=price",),
    "review:answer-similar": ("",),
    "review:answer-attempts": ("",),
    "review:answer-call": ("?mention=0",),
    "review:deliberation": ("",),
    "memory:browser": ("", "?tab=blockers", "?tab=gaps"),
    "memory:search": ("?text=pricing", "?text=nowhere&grade=A"),
    "memory:constraint": ("",),
    "memory:snapshots": ("",),
    "review:memory-sessions": ("",),
    "review:memory-session": ("", "?view=tree"),
    "review:memory-entry": ("",),
    "memory:next-prompt": ("?session=s-1&budget=90",),
    "memory:shared": ("",),
    "knowledge:page": ("",),
    "knowledge:search": ("", "?text=pricing", "?text=xylophones"),
    "knowledge:document": ("",),
    "learning:page": ("",),
    "learning:example-list": ("",),
    "learning:calibration": ("",),
    "metrics:dashboard": ("", "?agent=nobody"),
    "metrics:progress": ("",),
    "metrics:inventions": ("",),
    "metrics:checks": ("",),
    "metrics:confidence": ("",),
    "metrics:cost": ("",),
    "metrics:people": ("",),
    "metrics:compare": ("", "?by=strictness"),
    "reports:alerts": ("",),
    "reports:rule": ("",),
    "reports:list": ("",),
    "reports:report": ("",),
    "review:agreement": ("",),
    "review:disagreements": ("",),
    "review:my-judgements": ("",),
    "review:person-judgements": ("",),
    "review:second-opinions": ("",),
    "review:gold-list": ("",),
    "accounts:profile": ("",),
    "accounts:second-factor": ("",),
    "accounts:factor-reset": ("",),
    "accounts:people": ("",),
    "accounts:member-remove": ("",),
    "accounts:leave": ("",),
    "accounts:project-new": ("",),
    "memory:settings": ("",),
    "verification:presets": ("",),
    "verification:checks": ("",),
    "privacy:masking": ("",),
    "privacy:data": ("",),
    "privacy:deletion": ("",),
    "privacy:disk-use": ("",),
    "privacy:values": ("",),
    "verification:detection-list": ("",),
    "verification:detection": ("",),
    "inference:models": ("?tier=medium&slot=first",),
    "inference:model-new": ("",),
    "inference:model-new-tier": ("",),
    "review:rules": ("",),
    "review:reason-list": ("",),
    "verification:schema-list": ("",),
    "verification:gateway-list": ("",),
    "verification:upload": ("",),
    "verification:upload-preview": ("", "?raw=2"),
    "accounts:key-list": ("",),
    "accounts:key-revoke": ("",),
    "accounts:key-rotate": ("",),
    "ingest:trace-list": ("",),
    "ingest:trace-detail": ("",),
    "ingest:bulk-list": ("",),
    "ingest:bulk": ("",),
    "exports:page": ("", "?review=open&agent=nobody"),
    "exports:job": ("",),
    "exports:schedule-add": ("",),
    "exports:schedule": ("",),
    "exports:destination-add": ("",),
    "exports:destination": ("",),
    "events:list": ("", "?type=verification.failed"),
    "events:webhook-list": ("",),
    "events:webhook": ("", "?state=failed"),
    "api-docs": ("",),
}
# Pages that are seen without having signed in.
OUTSIDE = {
    "accounts:login": ("",),
    "accounts:sign-in-code": ("",),
    "accounts:password-forgotten": ("",),
    "accounts:password-set": ("",),
    "accounts:join-link": ("",),
    "accounts:join": ("",),
}
# Where a name of an argument means another thing than elsewhere.
OWN_IDS = {
    "review:run-detail": "session",
    "review:memory-session": "session",
}

Ids = Mapping[str, Any]


def ways() -> list[tuple[str, str]]:
    """Every way in which tests open a page: its name and a query."""
    return [(name, query) for name, queries in PAGES.items() for query in queries]


def asks_for(name: str) -> set[str]:
    """The names of the ids in a page's URL."""
    return set(next(keys for own, keys in _patterns() if own == name))


def url_of(name: str, ids: Ids) -> str:
    """Where a page is; ids that are not given are made up."""
    wanted = {"ending": "svg", **ids}
    if name in OWN_IDS:
        wanted["uuid"] = ids[OWN_IDS[name]]
    return reverse(
        name, kwargs={key: wanted.get(key, uuid4()) for key in asks_for(name)}
    )


def names() -> list[str]:
    """Every URL name of the product but those of the versioned API."""
    return [name for name, _ in _patterns()]


def _patterns(
    resolver: URLResolver | None = None, space: str = "", keys: tuple[str, ...] = ()
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for one in (resolver or get_resolver()).url_patterns:
        own = (*keys, *one.pattern.converters)
        if isinstance(one, URLPattern):
            if not (one.name or "").startswith("api-") or one.name == "api-docs":
                yield f"{space}{one.name}", own
        elif str(one.pattern) != "v1/":
            yield from _patterns(one, f"{one.namespace}:" if one.namespace else "", own)


def furnish(project: Project) -> Ids:
    """Leave something on every page; return the ids that the URLs ask for."""
    person = project.memberships.get().user
    first = project.interactions.order_by("created_at").first()
    assert first is not None
    item = _decide(first, person)
    # Before there are models: nobody is asked, and every layer says so.
    layers = open_answer_detection(
        interaction=first, layers_request=LayersRequest(risk="high"), actor=person
    )
    run_detection(detection_id=layers.id)
    endpoint = bring_models(project)
    batch = open_batch(
        project=project,
        interactions=Interaction.objects.filter(project=project),
        filters={"verdict": "reject"},
        strictness=None,
        actor=person,
    )
    put_snapshot(
        project=project,
        name="requirements.txt",
        format_name="requirements.txt",
        data=b"django==5.2\n",
        actor=person,
    )
    put_tool_schema(
        project=project,
        reference="shop/prices#Price",
        tool="Grep",
        schema={"type": "string"},
        actor=person,
    )
    document = save_document(
        project=project,
        values=DocumentValues(
            title="<script>alert(1)</script>",
            text="# Pricing\n\nPrices are rounded up to whole cents. " * 40,
            url="https://wiki.example.com/pricing",
            external_id="wiki/pricing",
        ),
        actor=person,
    )
    # Not one that is being embedded: its page would go on asking after the test.
    EmbeddingSpace.objects.filter(project=project).update(
        state="failed", error="<b>the endpoint answered 500</b>"
    )
    # What people corrected has a history, too.
    entry = MemoryEntry.objects.exclude(mention_key="").get(
        interaction_id=first.id, kind=MemoryEntry.Kind.CORRECTION
    )
    return {
        "slug": project.slug,
        "uuid": first.id,
        "session": first.session_id,
        "index": 0,
        "item_id": item.id,
        "entry_id": entry.id,
        "document_id": document.id,
        "endpoint_id": endpoint.id,
        "key_id": ApiKeyFactory(project=project).id,
        "constraint_id": ConstraintFactory(project=project).id,
        "batch_id": batch.id,
        "deletion_id": a_deletion(project, person).id,
        "detection_id": layers.id,
        "upload_id": _upload(project, person),
        "deliberation_id": _work_done(first),
        **_exports(project, person),
        "model_id": _calibration(project),
        "which": "before",
        "act_id": _act(project, person),
        "user_id": person.pk,
        "member_id": _colleague(project),
        "trace_row": _trace(project),
        "bulk_id": _bulk(project),
        "written_as": "csv",
        **furnish_reports(project),
        **furnish_webhooks(project),
        "code": "exists",
    }


def _bulk(project: Project) -> Any:
    """A stream that broke off, with a line that was refused."""
    bulk = Bulk.objects.create(
        project=project,
        reference="nightly-7",
        format="auto",
        media="jsonl",
        state="broken",
        error="<b>The client disconnected.</b>",
        line=1200,
        created_count=1199,
        span_count=3,
        refused_count=1,
    )
    BulkRefusal.objects.create(
        project=project,
        bulk=bulk,
        line=7,
        item=0,
        status=422,
        field="tool_calls[3].<script>",
        message="is unknown.",
    )
    return bulk.id


def _colleague(project: Project) -> Any:
    """Another member, and somebody who is invited."""
    invite(project=project, role=Role.LEAD, actor=None, email="grace@example.org")
    return MembershipFactory(project=project, user__username="<b>grace</b>").user_id


def _exports(project: Project, person: Any) -> Ids:
    """Leave a failed export, a schedule, and a folder that it is delivered to."""
    destination = Destination.objects.create(
        project=project, name="<script>alert(1)</script>", kind="folder", path="a/b"
    )
    schedule = Schedule.objects.create(
        project=project,
        name="<b>nightly</b>",
        datasets=["verdicts"],
        written_as="parquet",
        filters={"agent": "<i>"},
        destination=destination,
        next_at=timezone.now() + timedelta(hours=1),
    )
    job = ExportJob.objects.create(
        project=project,
        datasets=["interactions", "verdicts"],
        written_as="csv",
        filters={"text": "<script>alert(1)</script>"},
        asked_by="<admin>",
        viewer=person,
        schedule=schedule,
        destination=destination,
        until=timezone.now(),
        state="failed",
        error="<b>the store refused</b>",
    )
    return {
        "job_id": job.id,
        "schedule_id": schedule.id,
        "destination_id": destination.id,
        "name": "manifest.json",
    }


def _work_done(answer: Interaction) -> Any:
    """Leave a rewrite that is not offered, and a deliberation on its way."""
    MitigationAttempt.objects.create(
        project=answer.project,
        interaction=answer,
        asked_by="<admin>",
        task=answer.task,
        text=answer.answer,
        action="decompose_and_retry",
        state="finished",
        offered=False,
        result={
            "text": f"{answer.answer} <script>alert(1)</script>",
            "reason": "objections",
            "objections": ["names_remain"],
            "verdict": {"verdict": "reject"},
            "parts": [{"task": "And the tax?", "answer": "Right.", "reliable": True}],
        },
    )
    claim = {"text": "<script>alert(1)</script>", "status": "unknown", "evidence": None}
    steps = [
        {"name": "draft", "state": "done", "reason": "given", "text": "Right."},
        {"name": "critique", "state": "skipped", "reason": "no_model"},
        {"name": "fact_check", "state": "done", "details": {"claims": [claim]}},
    ]
    row = Deliberation.objects.create(
        project=answer.project,
        interaction=answer,
        asked_by="<admin>",
        task=answer.task,
        text=answer.answer,
        state="failed",
        error="<script>alert(1)</script>",
        steps=steps,
    )
    return row.id


def _decide(answer: Interaction, person: Any) -> ReviewItem:
    """Leave overrides on an answer and make it gold, so that its page shows all."""
    item = ReviewItem.objects.get(interaction=answer)
    unverified = item.verification.mentions.filter(status="unverified")
    mention = unverified.order_by("index").first()
    if mention is not None:
        override_mention(
            item=item,
            mention=mention,
            status="verified",
            reason="I looked.",
            reviewer=person,
            version=0,
        )
        item.refresh_from_db()
    override_verdict(
        item=item,
        verdict="accept",
        reason="Right.",
        reviewer=person,
        version=item.version,
    )
    item.refresh_from_db()
    mark_gold(
        item=item, verdict="accept", note="Sure.", actor=person, now=timezone.now()
    )
    return item


def _calibration(project: Project) -> Any:
    """An active calibration and one that was refused, so that all parts show."""
    raw = [(at / 20, at % 3 > 0) for at in range(20)]
    figures = {
        "project": project,
        "check_name": "verdict",
        "n": 120,
        "right": 80,
        "sample_ids": [],
        "before": reliability(raw).as_dict(),
        "since": timezone.now(),
        "until": timezone.now(),
    }
    CalibrationModel.objects.create(
        number=1, state="refused", refusal="falls", **figures
    )
    model = CalibrationModel.objects.create(
        number=2,
        state="active",
        kind="platt",
        parameters={"a": -3.0, "b": 1.0},
        after=reliability([(0.1 + score / 2, label) for score, label in raw]).as_dict(),
        activated_by="ada",
        activated_at=timezone.now(),
        **figures,
    )
    return model.id


def _act(project: Project, person: AbstractBaseUser) -> Any:
    """A note on an open answer, left as an act on many."""
    waiting = ReviewItem.objects.filter(project=project, state=ReviewItem.State.OPEN)
    act = open_bulk(
        project=project,
        decision=Decision(note="Seen by both."),
        items=[(one.id, one.version) for one in waiting[:1]],
        chosen_by={},
        reviewer=person,
    )
    advance_act(act_id=act.id, seconds=60)
    return act.id


def _trace(project: Project) -> Any:
    """A trace with a late span, in which not all is understood."""
    hostile = "<script>alert(1)</script>"
    receive_spans(
        project=project,
        api_key=None,
        spans=[
            a_span(1, name=hostile, attributes={"own.key": hostile}),
            a_span(2, 1, attributes={"output.value": "x", "input.value": "y"}),
        ],
    )
    OtlpTrace.objects.update(next_at=None)
    trace = OtlpTrace.objects.get(project=project)
    read_trace(trace_id=trace.id)
    receive_spans(project=project, api_key=None, spans=[a_span(3, 2)])
    return trace.id


def _upload(project: Project, person: AbstractBaseUser) -> Any:
    """A transcript of many lines, with hostile names and things that are not mapped."""
    hostile = "<script>alert(1)</script>" + "long" * 60
    lines = claude_code_lines() * 20
    lines[1]["message"]["content"] = hostile
    return keep_upload(
        project=project,
        user=person,
        name=hostile,
        data=as_lines(lines),
        format_name="auto",
    ).id


def a_deletion(project: Project, person: Any) -> Deletion:
    """A deletion that was counted and waits to be confirmed."""
    run = project.interactions.order_by("created_at")[0]
    row = open_deletion(
        project=project, kind=Deletion.Kind.RUN, target=str(run.id), actor=person
    )
    Deletion.objects.filter(pk=row.pk).update(
        state=Deletion.State.COUNTED, expected={"runs": 3, "tool_calls": 12}
    )
    return row


def bring_models(project: Project) -> Any:
    """Endpoints, caps and calls, so that the page of models shows all its parts."""
    endpoint = save_endpoint(
        project=project,
        values=ModelEndpoint(
            name="<script>alert(1)</script>",
            base_url="https://models.example.com/v1",
        ),
        key="sk-x",
        actor=None,
    )
    set_tier(
        project=project,
        tier=Tier.MEDIUM,
        second=False,
        choice=TierModel(endpoint=endpoint, model="<img src=x onerror=alert(1)>"),
        actor=None,
    )
    set_caps(project=project, values={"month_tokens": 100}, actor=None)
    Budget.objects.update(refused_by="month_tokens", refused_at=timezone.now())
    run = project.interactions.first().verifications.first()
    ModelCallFactory(project=project, verification_id=run.id, charged_tokens=90)
    return endpoint
