import pytest
from django.db import IntegrityError, connection, transaction

from tests.factories import ProjectFactory
from verifyhub.audit.models import AuditEvent
from verifyhub.audit.selectors import history
from verifyhub.audit.services import record_event

pytestmark = pytest.mark.django_db


def an_event():
    project = ProjectFactory()
    return project, record_event("tests.done", project, None)


def test_an_event_cannot_be_changed():
    _, event = an_event()

    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        AuditEvent.objects.filter(pk=event.pk).update(action="tests.forged")


def test_an_event_cannot_be_deleted():
    _, event = an_event()

    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        AuditEvent.objects.filter(pk=event.pk).delete()


def test_the_audit_cannot_be_truncated_by_the_program():
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL verifyhub.truncate_audit = 'off'")

        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            cursor.execute("TRUNCATE audit_auditevent")


def test_history_shows_only_the_events_of_one_row_in_its_project():
    project, event = an_event()
    an_event()

    found = history(project, project_id=project.id)

    assert list(found) == [event]
