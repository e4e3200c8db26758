"""Which preset and which domain's verifier a verification is made with."""

import pytest

from tests.builders import a_tool_call, an_interaction
from tests.stored import verify_stored
from verifyhub.audit.models import AuditEvent
from verifyhub.engine.errors import DomainError
from verifyhub.verification.models import Verification
from verifyhub.verification.services import reverify, run_verification, update_presets

pytestmark = pytest.mark.django_db

OWN = {"name": "billing", "criteria": ["Is VAT shown?"], "words": ["invoice"]}
CALL = a_tool_call("list", output="a.py\nb.py\nc.py\n")


def presets(project, admin, **changes):
    values = {"strictness": "balanced", "domain": "", "domains": []}
    return update_presets(project=project, actor=admin, **values | changes)


def verdict_of(project, answer="See `a.py`, `b.py`, `c.py`, `ghost.py`.", **fields):
    run = an_interaction(answer, CALL, **fields)
    verification = verify_stored(project, run)
    return verification.interaction, verification.report


def test_the_projects_preset_is_in_force_and_shown(project, admin):
    presets(project, admin, strictness="strict")

    _, report = verdict_of(project)

    assert (report["strictness"], report["verdict"]) == ("strict", "reject")


def test_whoever_asks_again_may_choose_another(project, admin):
    presets(project, admin, strictness="strict")
    row, _ = verdict_of(project)

    again = reverify(interaction=row, actor=admin, strictness="lenient")
    run_verification(verification_id=again.id)

    report = Verification.objects.get(pk=again.id).report
    assert (report["strictness"], report["verdict"]) == ("lenient", "uncertain")


def test_a_projects_own_verifier_is_chosen_and_makes_cut_offs_stricter(project, admin):
    strict = {"retry_above_unverified": 0}
    presets(project, admin, domains=[OWN | {"thresholds": strict}])

    _, report = verdict_of(project, task="Write the invoice.")

    assert report["goal"]["domain"] == "billing"
    assert report["decision"]["action"] == "retry"


def test_a_domain_that_a_run_names_cannot_loosen_the_project(project, admin):
    project.thresholds = {"retry_above_unverified": 0}
    project.save()
    loose = {"retry_above_unverified": 20}
    presets(project, admin, domains=[OWN | {"thresholds": loose}])

    _, report = verdict_of(project, metadata={"domain": "billing"})

    assert report["decision"]["action"] == "retry"


@pytest.mark.parametrize(
    "changes", [{"domain": "absent"}, {"domains": [{"name": "No"}]}]
)
def test_presets_that_cannot_be_used_change_nothing(project, admin, changes):
    with pytest.raises(DomainError):
        presets(project, admin, strictness="strict", **changes)

    project.refresh_from_db()
    assert project.strictness == "balanced"


def test_changing_presets_is_audited(project, admin):
    presets(project, admin, strictness="lenient", domain="code")

    event = AuditEvent.objects.get(action="accounts.presets_set")
    assert event.before["strictness"] == "balanced"
    assert event.after == {"strictness": "lenient", "domain": "code", "domains": []}
