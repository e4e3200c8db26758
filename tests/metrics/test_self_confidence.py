"""How sure agents are of themselves, beside the verdicts on their answers."""

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.ingest.runs import an_interaction
from verifyhub.ingest.services import record_interaction
from verifyhub.metrics.selectors.confidence import self_confidence
from verifyhub.metrics.windows import window_from
from verifyhub.verification.models import Verification
from verifyhub.verification.services import run_verification

pytestmark = pytest.mark.django_db


def answered(project, name, own, found):
    row, _ = record_interaction(
        project=project,
        api_key=None,
        interaction=an_interaction(
            agent={"name": name}, self_assessment={"confidence": own}
        ),
    )
    run = row.verifications.get()
    run_verification(verification_id=run.id)
    Verification.objects.filter(pk=run.pk).update(confidence=found)


def test_the_mean_difference_is_told_per_agent_with_its_number(project):
    answered(project, "bold", 0.9, 0.5)
    answered(project, "bold", 1.0, 0.4)
    answered(project, "shy", 0.3, 0.6)
    answered(project, "silent", None, 0.6)
    answered(project, "unsettled", 0.9, None)

    found = self_confidence(project, window_from("", timezone.now()))

    assert [(row.name, row.answers, round(row.points)) for row in found] == [
        ("bold", 2, 50),
        ("shy", 1, -30),
    ]
    assert [week.answers for week in found[0].weeks] == [2]


def test_a_small_sample_says_so_on_the_page(project, client, viewer):
    answered(project, "bold", 0.9, 0.5)
    client.force_login(viewer)

    page = client.get(reverse("metrics:progress", args=[project.slug]))

    assert "few answers" in page.content.decode()
