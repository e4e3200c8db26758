"""Write documents, from people and from programs."""

import hashlib
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.utils.translation import gettext as _

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.engine.retrieval.split import spans
from verifyhub.engine.types import Span
from verifyhub.knowledge.errors import KnowledgeError
from verifyhub.knowledge.models import Document, Passage
from verifyhub.knowledge.services.spaces import mark_due, wanted_space
from verifyhub.knowledge.services.values import DocumentValues, checked


def save_document(
    *, project: Project, values: DocumentValues, actor: models.Model | None
) -> Document:
    """Add a document; search by words finds it at once.

    Args:
        project: The tenant.
        values: Its content.
        actor: The person or API key.

    Raises:
        KnowledgeError: If a value is invalid; then nothing is changed.
    """
    document, _ = _write(project, values, actor, may_exist=False)
    return document


def sync_document(
    *, project: Project, values: DocumentValues, actor: models.Model | None
) -> tuple[Document, bool]:
    """Create or replace the document with an external id.

    The same content changes nothing; of a changed text only new passages are embedded.

    Returns:
        The document, and whether it is new.

    Raises:
        KnowledgeError: If a value is invalid; then nothing is changed.
    """
    if not values.external_id:
        raise KnowledgeError("external_id", "A document that is synced has one.")
    return _write(project, values, actor, may_exist=True)


@transaction.atomic
def delete_document(*, document: Document, actor: models.Model | None) -> None:
    """Delete a document with its passages."""
    record_event(
        "knowledge.document_deleted", document, actor, before=_described(document)
    )
    document.delete()


def _write(
    project: Project,
    new_values: DocumentValues,
    actor: models.Model | None,
    *,
    may_exist: bool,
) -> tuple[Document, bool]:
    values = checked(new_values)
    # Splitting takes a while, so it is done before locking.
    places = list(spans(values.text))
    with transaction.atomic():
        # One writer per project, for correct counts and unique external ids.
        project.lock()
        document = _lock_document(project, values.external_id)
        is_new = document is None
        if document is None:
            _require_room(project)
            document = Document(project=project)
        elif not may_exist:
            raise KnowledgeError("external_id", _("Another document has this id."))
        before = {} if is_new else _described(document)
        if _take(document, values, places, actor):
            added = "knowledge.document_added"
            record_event(
                added if is_new else "knowledge.document_changed",
                document,
                actor,
                before=before,
                after=_described(document),
            )
    return document, is_new


def _take(
    document: Document,
    values: DocumentValues,
    places: Sequence[Span],
    actor: models.Model | None,
) -> bool:
    """Save changed fields; False if nothing has changed."""
    sha256 = hashlib.sha256(f"{values.title}\0{values.text}".encode()).hexdigest()
    text_changed = document.sha256 != sha256
    if not text_changed and document.url == values.url:
        return False
    document.title, document.url = values.title, values.url
    document.external_id, document.text = values.external_id, values.text
    document.sha256, document.passage_count = sha256, len(places)
    document.author = str(actor)[:200] if actor is not None else "system"
    if text_changed:
        document.state = Document.State.WAITING
    document.save()
    if text_changed:
        write_passages(document, places)
        wanted_space(document.project)
        mark_due(document.project)
    return True


def _lock_document(project: Project, external_id: str) -> Document | None:
    if not external_id:
        return None
    rows = Document.objects.filter(project=project, external_id=external_id)
    return rows.select_for_update().first()


def _require_room(project: Project) -> None:
    most = settings.KNOWLEDGE_DOCUMENTS
    if Document.objects.filter(project=project)[:most].count() >= most:
        raise KnowledgeError(
            "document",
            _("The project has %(n)s documents, the most it may have.") % {"n": most},
        )


def _described(document: Document) -> dict[str, Any]:
    """Return a document's description for the audit log, without its text."""
    return {
        "title": document.title,
        "external_id": document.external_id,
        "url": document.url,
        "sha256": document.sha256,
        "passages": document.passage_count,
    }


WRITTEN_AT_ONCE = 1000


def write_passages(document: Document, places: Sequence[Span]) -> None:
    """Write a document's passages; unchanged ones keep their vectors.

    Args:
        document: The saved document.
        places: The ranges of its passages, in order.
    """
    stored: dict[tuple[str, str], list[Passage]] = {}
    for row in Passage.objects.filter(document=document).defer("search"):
        stored.setdefault((row.title, row.text), []).append(row)
    fresh, moved = [], []
    for start, end in places:
        text = document.text[start:end]
        same = stored.get((document.title, text))
        if not same:
            passage = Passage(
                project_id=document.project_id,
                origin=Passage.Origin.DOCUMENT,
                document=document,
                title=document.title,
                text=text,
                start=start,
                end=end,
            )
            fresh.append(passage)
            continue
        row = same.pop()
        if (row.start, row.end) != (start, end):
            row.start, row.end = start, end
            moved.append(row)
    removed = [row.pk for rows in stored.values() for row in rows]
    Passage.objects.filter(document=document, pk__in=removed).delete()
    Passage.objects.bulk_update(moved, ["start", "end"], batch_size=WRITTEN_AT_ONCE)
    Passage.objects.bulk_create(fresh, batch_size=WRITTEN_AT_ONCE)
