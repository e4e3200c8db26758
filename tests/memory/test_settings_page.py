import pytest
from django.urls import reverse

from tests.factories import ProjectFactory
from verifyhub.audit.models import AuditEvent
from verifyhub.engine.thresholds import Thresholds
from verifyhub.memory.services import ThresholdValuesError, update_thresholds

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(db):
    return ProjectFactory(slug="acme", name="Acme")


def address(project):
    return reverse("memory:settings", args=[project.slug])


def test_an_admin_changes_a_threshold(project, admin, browse):
    page = browse(admin).post(address(project), {"recurrence_interactions": "5"})

    assert page.status_code == 302
    project.refresh_from_db()
    assert project.thresholds == {"recurrence_interactions": 5}
    assert AuditEvent.objects.filter(action="accounts.thresholds_set").exists()


def test_an_empty_field_returns_to_its_default(project, admin, browse):
    project.thresholds = {"max_retries": 9}
    project.save()

    browse(admin).post(address(project), {"max_retries": ""})

    project.refresh_from_db()
    assert project.thresholds == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("fact_confidence", "1.2"),
        ("recurrence_sessions", "1"),
        ("max_retries", "-1"),
        ("max_retries", "many"),
        ("fact_confidence", "nan"),
    ],
)
def test_an_unusable_value_is_refused_beside_its_field(
    project, admin, browse, name, value
):
    page = browse(admin).post(address(project), {name: value})

    assert page.status_code == 422
    assert "errorlist" in page.content.decode()
    project.refresh_from_db()
    assert project.thresholds == {}


def test_every_threshold_is_on_the_page_with_its_value(project, admin, browse):
    project.thresholds = {"recurrence_days": 77}
    project.save()

    text = browse(admin).get(address(project)).content.decode()

    assert 'value="77"' in text
    assert all(f'name="{name}"' in text for name in Thresholds.__slots__)


@pytest.mark.parametrize("role", ["viewer", "reviewer", "lead"])
def test_only_admins_come_here(project, browse, role, request):
    page = browse(request.getfixturevalue(role)).get(address(project))

    assert page.status_code == 403


def test_all_wrong_values_are_named_at_once(project, admin):
    with pytest.raises(ThresholdValuesError) as caught:
        update_thresholds(
            project=project, values={"max_retries": -1, "speed": 3}, actor=admin
        )

    assert set(caught.value.errors) == {"max_retries", "speed"}


def rules_address(project):
    return reverse("memory:tool-rules", args=[project.slug])


def test_an_admin_says_what_the_projects_tools_do(project, admin, browse):
    rules = "mcp__files__* read\njot note\n"

    page = browse(admin).post(rules_address(project), {"rules": rules})

    assert page.status_code == 302
    project.refresh_from_db()
    assert project.tool_rules == [
        {"tool": "mcp__files__*", "kind": "read"},
        {"tool": "jot", "kind": "note"},
    ]
    event = AuditEvent.objects.get(action="accounts.tool_rules_set")
    assert event.after == {"rules": project.tool_rules}
    shown = browse(admin).get(address(project)).content.decode()
    assert "mcp__files__* read" in shown


def test_wrong_rules_are_named_by_row_and_nothing_is_stored(project, admin, browse):
    rules = "jot note\npeek\npe*k read"

    page = browse(admin).post(rules_address(project), {"rules": rules})

    text = page.content.decode()
    assert page.status_code == 422
    assert "Row 2: the kind must be one of" in text
    assert "Row 3: a star is allowed only at the end" in text
    project.refresh_from_db()
    assert project.tool_rules == []
    assert not AuditEvent.objects.filter(action="accounts.tool_rules_set").exists()


@pytest.mark.parametrize("role", ["viewer", "reviewer", "lead"])
def test_only_admins_change_the_rules(project, browse, role, request):
    person = browse(request.getfixturevalue(role))

    assert person.post(rules_address(project), {"rules": ""}).status_code == 403
