"""Rows go with all that refers to them, as the ORM would delete them."""

import pytest
from django.db import transaction

from tests.privacy.test_deletions import MARK, a_verified_run, left_of
from verifyhub.common.cascade import delete_with_dependents
from verifyhub.ingest.models import Interaction
from verifyhub.review.decide import override_verdict
from verifyhub.review.models import Act, ReviewItem
from verifyhub.verification.models import Verdict

pytestmark = pytest.mark.django_db


@pytest.fixture
def decided(project, reviewer) -> Interaction:
    row = a_verified_run(project)
    item = ReviewItem.objects.get(interaction=row)
    override_verdict(
        item=item,
        verdict=Verdict.ACCEPT,
        reason="Looked it up.",
        reviewer=reviewer,
        version=item.version,
    )
    return row


def test_what_goes_is_what_the_orm_would_delete(project, decided):
    other = a_verified_run(project, session="s-2", mark="Other")
    with transaction.atomic():
        _, expected = Interaction.objects.filter(pk=decided.pk).delete()
        transaction.set_rollback(True)

    counts = delete_with_dependents(Interaction, [decided.pk])

    assert counts == {name: count for name, count in expected.items() if count}
    assert counts["review.Override"] == 1
    assert "ingest_interaction" not in left_of(MARK)
    assert Interaction.objects.get() == other
    assert not delete_with_dependents(Interaction, [])


def test_a_model_that_refuses_to_go_is_not_deleted_around(decided):
    with pytest.raises(NotImplementedError, match="ManyToOneRel"):
        delete_with_dependents(Act, [Act.objects.get().pk])
