"""Before all have judged nothing that can be asked for tells what one of them said."""

import re

import pytest

from tests.factories import MembershipFactory
from tests.review.test_several_reviewers import ask, fresh, judge, other
from tests.review.walk import bodies
from verifyhub.accounts.models import Role
from verifyhub.review.decisions import Decision, MentionFlip
from verifyhub.review.models import Judgement
from verifyhub.review.panel import rules_of

REASON, NAME, TEXT, NOTE = "reasonZq1", "nameZq2", "correctionZq3", "noteZq4"
WORDS = (REASON, NAME, TEXT, NOTE)
# Pages that a walk must have come to, or it would prove nothing.
SURELY = (
    "/p/acme/review/",
    "/p/acme/answers/",
    "/p/acme/memory/",
    "/p/acme/metrics/",
    "/p/acme/agreement/",
    "/p/acme/metrics/export/overrides.csv",
    "/p/acme/metrics/export/judgements.jsonl",
)


@pytest.fixture
def said(item, project):
    """One of two has said all that can be said, and the other verdict."""
    ask(project, 2)
    first = MembershipFactory(project=project, user__username="zuzanna").user

    def say():
        name = item.verification.mentions.filter(status="unverified").first()
        flip = MentionFlip(index=name.index, status="verified", suggestion=NAME)
        judge(item, first, Decision(mentions=(flip,), reason=REASON))
        judge(item, first, Decision(note=NOTE))
        judge(item, first, Decision(correction=TEXT, reason=REASON))
        judge(item, first, other(item))
        assert Judgement.objects.get().state == "given"

    return say


def values(item):
    return {
        "uuid": item.interaction_id,
        "session": item.interaction.session_id,
        "item_id": item.pk,
        "reference": item.interaction_id,
    }


def verdicts(body):
    """Count the words for verdicts: their number would tell what was said."""
    return re.findall(r"\b(?:accept|reject|overridden|confirmed)\b", body.lower())


# An admin is shown more pages than anybody.
@pytest.mark.parametrize(
    "role", [Role.ADMIN, pytest.param(Role.REVIEWER, marks=pytest.mark.deep)]
)
def test_no_page_tells_a_co_reviewer_what_was_said(item, project, said, browse, role):
    person = MembershipFactory(project=project, role=role).user
    before = bodies(browse(person), values(item))

    said()

    after = bodies(browse(person), values(item))
    assert all(after[path].startswith("200") for path in SURELY[:4])
    if role == Role.ADMIN:
        assert all(after[path].startswith("200") for path in SURELY)
    assert not [path for path in after if any(word in after[path] for word in WORDS)]
    changed = [
        path for path in after if verdicts(before[path]) != verdicts(after[path])
    ]
    assert changed == []


# Fragments are parts of the pages above.
@pytest.mark.deep
def test_no_fragment_tells_it_either(item, project, said, browse):
    said()
    client = browse(MembershipFactory(project=project, role=Role.ADMIN).user)

    told = bodies(client, values(item), **{"HX-Request": "true"})
    panel = bodies(
        client, values(item), **{"HX-Request": "true", "HX-Target": "evidence"}
    )

    for found in (told, panel):
        assert not [p for p in found if any(word in found[p] for word in WORDS)]


def test_no_body_of_the_api_tells_it(item, project, said, api):
    before = bodies(api, values(item))

    said()

    after = bodies(api, values(item))
    read = f"/api/v1/review/items/{item.pk}/"
    assert after[read].startswith("200")
    assert not [path for path in after if any(word in after[path] for word in WORDS)]
    assert {p for p in after if verdicts(before[p]) != verdicts(after[p])} == set()


def test_once_all_have_judged_it_is_told(item, project, said, browse):
    said()
    second = MembershipFactory(project=project, user__username="ben").user
    judge(item, second, other(item))

    lead = MembershipFactory(project=project, role=Role.LEAD).user
    page = browse(lead).get(f"/p/acme/answers/{item.interaction_id}/")

    assert fresh(item).human_verdict
    assert NOTE in page.content.decode()
    assert rules_of(project.id).blind
