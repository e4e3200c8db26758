"""Finding what a project remembers, on the page and over the API."""

import csv
import io
import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import ConstraintFactory, InteractionFactory, SessionFactory
from tests.memory.reports import mention, remember
from verifyhub.memory.models import MemoryEntry
from verifyhub.memory.search import SearchFilters, find, match_spans, rows_of, search

pytestmark = pytest.mark.django_db


def texts(project, text, **filters):
    found = search(project, SearchFilters(text=text, **filters))
    return [row.text for row in rows_of(project, found.hits)]


def page(client, project, **query):
    url = reverse("memory:search", args=[project.slug], query=query)
    return client.get(url).content.decode()


@pytest.mark.parametrize(
    "wanted", ["mind_auht", "mind-auth", "MIND_AUTH", "nd-aut", '"mind auth"']
)
def test_a_name_is_found_however_it_is_typed(project, wanted):
    remember(project, mention("mind-auth"), mention("requests"))

    assert set(texts(project, wanted)) == {"mind-auth"}


def test_a_typo_finds_names_inside_paths(project):
    remember(project, mention("src/mind-auth/index.ts", kind="file"))

    assert "src/mind-auth/index.ts" in texts(project, "mind_auht")


def test_words_are_taken_as_search_engines_take_them(project):
    remember(
        project,
        gaps=["no test of the parser", "no docs of the parser", "deploy it"],
    )

    assert texts(project, "parser -docs") == ["no test of the parser"]
    assert set(texts(project, "deploy or docs")) == {
        "no docs of the parser",
        "deploy it",
    }


def test_what_is_no_name_is_looked_for_once(project):
    remember(project, gaps=["no test of the parser"])

    with CaptureQueriesContext(connection) as asked:
        search(project, SearchFilters(text='"test of"'))

    assert len(asked) == 3


def test_the_nearest_name_comes_first(project):
    remember(project, mention("mind-authority"), mention("mind-auth"))

    assert texts(project, "mind-auth", kind="blocker")[0] == "mind-auth"


def test_similar_names_are_looked_for_where_few_have_the_name_itself(
    project, monkeypatch
):
    for _ in range(2):
        remember(project, mention("ghost1.py", kind="file"))
    remember(project, mention("ghost2.py", kind="file"))

    assert set(texts(project, "ghost1.py")) == {"ghost1.py", "ghost2.py"}

    monkeypatch.setattr(find, "FEW", 1)
    assert set(texts(project, "ghost1.py")) == {"ghost1.py"}
    assert set(texts(project, "ghost3.py")) == {"ghost1.py", "ghost2.py"}


def test_entries_and_constraints_are_found_together(project):
    remember(project, mention("mind-auth"))

    kinds = {hit.model for hit in search(project, SearchFilters(text="mind-auth")).hits}

    assert len(kinds) == 2


def test_filters_narrow_what_is_found(project):
    session = SessionFactory(project=project)
    remember(project, mention("mind-auth"), session=session)
    remember(project, mention("mind-auth", status="verified"))

    assert texts(project, "mind-auth", kind="constraint") == ["mind-auth"]
    assert len(texts(project, "mind-auth", session=session.key)) == 1
    assert len(texts(project, "mind-auth", grade="C")) == 1
    assert texts(project, "mind-auth", agent="nobody") == []


@pytest.mark.parametrize("text", ["'", "\\", "%_", "a:*b & !", '"', "-", "(((", "или"])
def test_no_text_breaks_the_search(project, text):
    remember(project, mention("mind-auth"))

    assert texts(project, text) == []


def test_another_projects_memory_is_not_found(project):
    remember(InteractionFactory().project, mention("mind-auth"))

    assert texts(project, "mind-auth") == []


def test_hits_are_marked_and_nothing_is_obeyed(project, viewer, browse):
    remember(project, mention("<script>alert(1)</script>mind-auth\u202e"))

    text = page(browse(viewer), project, text="mind")

    assert "<mark>mind</mark>" in text
    assert "<script>alert(1)" not in text
    assert "\u202e" not in text


def test_a_mistyped_word_marks_what_it_is_near_to():
    assert match_spans("use mind-auth", "mind_auht") == [(4, 8)]
    assert match_spans("use mynd-auth", "auht") == [(9, 13)]
    assert match_spans("use mind", "-mind") == []


def test_without_words_the_newest_come_first(project, viewer, browse):
    remember(project, mention("first-one"))
    remember(project, mention("second-one"))

    text = page(browse(viewer), project, kind="blocker")

    assert text.index("second-one") < text.index("first-one")


def test_an_empty_memory_says_how_it_fills(project, viewer, browse):
    assert 'class="card empty"' in page(browse(viewer), project)
    assert "Nothing matches" in page(browse(viewer), project, text="x")


def test_the_api_finds_the_same(project, api):
    remember(project, mention("mind-auth"))

    body = api.get("/api/v1/memory/", {"text": "mind_auht"}).json()

    assert {row["kind"] for row in body["results"]} == {"blocker", "constraint"}
    assert not body["is_cut"]
    assert api.get("/api/v1/memory/", {"kind": "x"}).status_code == 400


def test_csv_runs_no_formula_and_json_lines_are_exact(project, reviewer, browse, api):
    remember(project, mention("=cmd|calc"), mention("requests", status="verified"))
    url = reverse("memory:export", args=[project.slug, "csv"])

    reply = browse(reviewer).get(url, {"kind": "blocker"})
    rows = list(csv.DictReader(io.StringIO(reply.getvalue().decode())))
    lines = api.get("/api/v1/memory/export/", {"text": "cmd"}).getvalue().decode()

    assert [row["text"] for row in rows] == ["'=cmd|calc"]
    assert [
        (row["kind"], row["text"]) for row in map(json.loads, lines.splitlines())
    ] == [("blocker", "=cmd|calc"), ("constraint", "=cmd|calc")]


def test_an_export_is_a_list_of_batches_without_gaps(project, api, monkeypatch):
    monkeypatch.setattr("verifyhub.memory.search.export.BATCH", 3)
    remember(project, *(mention(f"package-{n}") for n in range(10)))
    ConstraintFactory(project=project)

    lines = api.get("/api/v1/memory/export/").getvalue().decode().splitlines()

    assert len({json.loads(line)["id"] for line in lines}) == len(lines) == 21


def test_viewers_see_and_do_not_export(project, viewer, browse):
    url = reverse("memory:export", args=[project.slug, "csv"])

    assert browse(viewer).get(url).status_code == 403
    assert "JSON Lines" not in page(browse(viewer), project)


def test_many_entries_are_retracted_at_once(project, lead, browse):
    remember(project, mention("mind-auth"), mention("requests"))
    rows = MemoryEntry.objects.order_by("key")

    reply = browse(lead).post(
        reverse("memory:entries-act", args=[project.slug]),
        {"verb": "retract", "entry": [row.id for row in rows], "back": "kind=blocker"},
        follow=True,
    )

    assert "Done for 2 entries." in reply.content.decode()
    assert {row.state for row in rows.all()} == {"retracted"}
