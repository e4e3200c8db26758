"""Why a constraint is retired is stored as a code, and words are made when shown."""

import pytest
from django.urls import reverse
from django.utils.translation import override

from tests.markup import markup
from verifyhub.common.row_files import RowFormat
from verifyhub.engine.memory.lifecycle import RETIRED_REASONS
from verifyhub.memory.models import Constraint
from verifyhub.memory.search.export import lines
from verifyhub.memory.search.find import SearchFilters
from verifyhub.memory.services import retire_constraint

pytestmark = pytest.mark.django_db


@pytest.fixture
def constraint(project):
    return Constraint.objects.create(
        project=project, mention_kind="file", mention_key="a.py", text="a.py"
    )


@pytest.mark.parametrize("code", sorted(RETIRED_REASONS))
def test_people_read_it_in_their_language_and_programs_in_english(constraint, code):
    constraint.retired_code, constraint.retired_reason = code, '"b.py"'
    constraint.save()

    with override("fr"):
        french = constraint.why_retired
        (line,) = lines(constraint.project, SearchFilters(), written_as=RowFormat.JSONL)
    english = constraint.why_retired

    assert french != english == RETIRED_REASONS[code] % {"name": '"b.py"'}
    assert english.replace('"', '\\"') in line


def test_the_history_of_a_constraint_says_why_in_words(constraint, lead, browse):
    retire_constraint(constraint=constraint, actor=lead)
    address = reverse(
        "memory:constraint", args=[constraint.project.slug, constraint.pk]
    )

    page = markup(browse(lead).get(address))
    assert "A lead retired it." in page
