"""Two people decide the same thing at the same moment: one wins, the other is told."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from tests.conftest import member
from tests.factories import ProjectFactory
from tests.review.conftest import send
from tests.review.test_decide import flip, override
from verifyhub.accounts.models import Role
from verifyhub.audit.models import AuditEvent
from verifyhub.review.decide import confirm_verdict, undo_override
from verifyhub.review.errors import ItemChangedError, OverrideUndoneError
from verifyhub.review.models import Override, ReviewItem

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def open_item():
    project = ProjectFactory(slug="acme")
    member(project, Role.REVIEWER)
    return ReviewItem.objects.get(interaction=send(project))


@pytest.fixture
def person(open_item):
    return open_item.project.memberships.get().user


def race(*acts):
    """Start every act at once; return their errors, None for those that won."""
    barrier = Barrier(len(acts))

    def run(act):
        try:
            barrier.wait(timeout=10)
            act()
        except Exception as error:  # noqa: BLE001 - the test looks at it
            return type(error)
        finally:
            connection.close()
        return None

    with ThreadPoolExecutor(len(acts)) as pool:
        return sorted(pool.map(run, acts), key=str)


def fresh(item):
    return ReviewItem.objects.get(pk=item.pk)


def test_one_of_two_overrides_wins(open_item, person):
    errors = race(
        lambda: override(fresh(open_item), person, version=0),
        lambda: override(fresh(open_item), person, version=0),
    )

    assert set(errors) == {None, ItemChangedError}
    assert Override.objects.count() == 1
    assert AuditEvent.objects.filter(action="review.verdict_overridden").count() == 1


def test_agreement_and_override_exclude_each_other(open_item, person):
    errors = race(
        lambda: confirm_verdict(item=fresh(open_item), reviewer=person, version=0),
        lambda: override(fresh(open_item), person, version=0),
    )

    assert set(errors) == {None, ItemChangedError}


def test_one_of_two_flips_wins(open_item, person):
    errors = race(
        lambda: flip(fresh(open_item), person, version=0),
        lambda: flip(fresh(open_item), person, version=0),
    )

    assert set(errors) == {None, ItemChangedError}
    assert Override.objects.count() == 1


def test_one_of_two_undos_wins(open_item, person):
    made = flip(open_item, person)

    def undo():
        again = Override.objects.get(pk=made.pk)
        undo_override(override=again, actor=person, version=1)

    errors = race(undo, undo)

    assert errors.count(None) == 1
    assert set(errors) <= {None, ItemChangedError, OverrideUndoneError}
