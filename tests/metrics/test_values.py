"""Unsupported values as a figure: of which answers, after what people say."""

import pytest
from django.utils import timezone

from tests.factories import InteractionFactory, VerificationFactory
from tests.review.conftest import answered  # noqa: F401 - fixtures
from tests.review.test_value_decisions import item, say  # noqa: F401 - a fixture
from verifyhub.metrics.selectors.questions import inventions
from verifyhub.metrics.services import count_next_day, refresh
from verifyhub.metrics.windows import Window
from verifyhub.review.decide import undo_override
from verifyhub.review.models import Override

EVER = Window(days=None, since=None)


def found(project):
    return inventions(project, EVER, timezone.now())


def shares(project):
    one = found(project).unsupported_values
    return one.count, one.n


def count(project):
    while refresh(project_id=project.pk):
        pass
    while count_next_day(project_id=project.pk):
        pass


def run_with(project, outcome):
    report = {
        "checks": [{"name": "values", "outcome": outcome}],
        "values": [{"kind": "money", "status": "supported"}],
    }
    row = InteractionFactory(project=project)
    return VerificationFactory(interaction=row, report=report)


def test_answers_with_an_unsupported_value_are_counted_of_those_checked(project, item):  # noqa: F811
    run_with(project, "passed")
    run_with(project, "skipped")

    assert shares(project) == (1, 2)
    kinds = {row.kind: row.unsupported for row in found(project).value_kinds}
    assert (kinds["money"].count, kinds["money"].n) == (1, 3)
    assert (kinds["identifier"].count, kinds["identifier"].n) == (1, 2)


@pytest.mark.usefixtures("one_voice")
def test_what_people_say_of_values_counts_and_is_counted_anew(project, item, lead):  # noqa: F811
    say(item, "$90", "right", lead)
    count(project)
    assert shares(project) == (1, 1)

    say(item, "LS-4471", "right", lead)
    assert shares(project) == (0, 1)
    count(project)
    assert shares(project) == (0, 1)

    item.refresh_from_db()
    made = Override.objects.get(target="value", subject__text="LS-4471")
    undo_override(override=made, actor=lead, version=item.version)
    assert shares(project) == (1, 1)


def test_the_figure_and_its_list_are_on_the_page_and_in_the_api(
    project,
    item,  # noqa: F811
    browse,
    lead,
    api,
):
    page = browse(lead).get("/p/acme/metrics/inventions/", {"days": "all"})
    body = page.content.decode()

    assert "values=unsupported" in body
    assert "amount of money" in body
    table = browse(lead).get("/p/acme/metrics/plots/values-by-kind.csv?days=all")
    assert "amount of money" in table.getvalue().decode()
    given = api.get("/api/v1/metrics/").json()
    assert given["inventions"]["unsupported_values"]["count"] == 1
    assert given["definitions"]["unsupported_values"]["unit"] == "share"
