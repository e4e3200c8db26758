"""What sessions learned expires, by kind, as the project has set it."""

import datetime as dt

import pytest
from django.utils import timezone

from tests.memory.reports import mention, remember, say
from verifyhub.audit.models import AuditEvent
from verifyhub.config.celery import app
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.memory.selectors import session_context
from verifyhub.memory.services import expire_entries, prefer

pytestmark = pytest.mark.django_db

INVENTED, REAL = mention("mind-auth"), mention("mind-engine", status="verified")


def later(days):
    return timezone.now() + dt.timedelta(days=days)


def kinds(state):
    rows = MemoryEntry.objects.filter(state=state)
    return set(rows.values_list("kind", flat=True))


def beat_once(name):
    """Do what beat's schedule holds under a name, as a worker would."""
    app.loader.import_default_modules()
    app.tasks[app.conf.beat_schedule[name]["task"]].apply(throw=True)


def test_each_kind_expires_after_its_own_time(project):
    answer = remember(project, INVENTED, REAL, gaps=["no test was run"])

    expire_entries(now=later(29))
    assert kinds("expired") == set()
    expire_entries(now=later(31))
    assert kinds("expired") == {"gap"}
    expire_entries(now=later(91))

    assert kinds("expired") == {"gap", "finding", "blocker"}
    found = session_context(
        project=project, session_key=answer.session.key, task="", budget=4000
    )
    assert "mind-" not in found.context.text
    assert AuditEvent.objects.filter(action="memory.entries_expired").count() == 3


def test_a_project_may_keep_its_memory(project):
    project.thresholds = {"finding_days": 0, "blocker_days": 0, "gap_days": 0}
    project.save()
    remember(project, INVENTED, REAL)

    assert expire_entries(now=later(10_000)) == 0


def test_what_a_person_said_never_expires(project, reviewer):
    say(remember(project, INVENTED), "mind-auth", "unverified", reviewer)

    expire_entries(now=later(10_000))

    assert kinds("active") == {"correction"}
    assert Constraint.objects.get().state == "active"


def test_a_name_found_long_ago_still_becomes_no_constraint(project):
    remember(project, mention("requests", status="verified"))
    expire_entries(now=later(91))

    for _ in range(3):
        remember(project, mention("requests"))

    assert Constraint.objects.get().state == "retired"


def test_an_expired_blocker_still_supports_its_constraint(project, lead):
    answers = [remember(project, INVENTED) for _ in range(3)]
    expire_entries(now=later(91))

    remember(project, INVENTED, session=answers[0].session)

    assert Constraint.objects.get().interaction_count == 4


def test_many_entries_expire_in_batches(project, monkeypatch):
    monkeypatch.setattr("verifyhub.memory.services.expiry.BATCH", 2)
    remember(project, *(mention(f"package-{n}") for n in range(5)))

    assert expire_entries(now=later(91)) == 5
    assert expire_entries(now=later(91)) == 0


def test_the_beat_lets_entries_expire(project):
    remember(project, INVENTED)
    MemoryEntry.objects.update(created_at=later(-91))

    beat_once("memory.expire_entries")

    assert kinds("expired") == {"blocker"}


def test_the_beat_lets_what_has_a_date_of_its_own_expire(project, lead):
    prefer(project=project, text="One.", expires_at=later(1), actor=lead)
    MemoryEntry.objects.update(expires_at=later(-1))

    beat_once("memory.expire_entries")

    assert kinds("expired") == {"preference"}
