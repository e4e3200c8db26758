"""The metrics page, its plots and downloads: rights, projects, windows, queries."""

import csv
import html
import io
import re
from xml.etree import ElementTree

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import (
    ConstraintFactory,
    MentionVerdictFactory,
    ProjectFactory,
    ReviewItemFactory,
    VerificationFactory,
)
from verifyhub.metrics.pages.tabs import PLOTS, TABS
from verifyhub.metrics.selectors.sides import DIMENSIONS, MAX_OFFERED

PAGE = "/p/acme/metrics/"


def busy(project, answers=3):
    for number in range(answers):
        verification = VerificationFactory(
            interaction__project=project,
            interaction__agent_name=f"agent-{number}",
            verdict="reject",
            report={"schema": 1, "completion_claims": [{"status": "contradicted"}]},
        )
        MentionVerdictFactory(
            verification=verification, invented=True, text=f"ghost_{number}.py"
        )
        ReviewItemFactory(verification=verification, state="confirmed")
        ConstraintFactory(project=project, text=f"ghost_{number}.py")


def test_an_empty_project_is_told_how_figures_come_about(browse, viewer):
    page = browse(viewer).get(PAGE)

    assert "POST /api/v1/interactions/" in page.content.decode()


def test_the_page_shows_counts_with_their_n(browse, viewer, project):
    busy(project)

    text = browse(viewer).get(PAGE).content.decode()

    text = re.sub("<[^>]+>", "", text)
    assert "3 of 3, 95 % between 44 % and 100 %; few cases" in text
    assert "whose newest verdict is uncertain or reject" in text


def test_the_first_screen_says_how_it_goes_and_where_to_act(browse, viewer, project):
    busy(project)
    waits = VerificationFactory(interaction__project=project, verdict="reject")
    ReviewItemFactory(verification=waits)

    page = browse(viewer).get(PAGE).content.decode()
    text = " ".join(re.sub("<[^>]+>", "", page).split())

    assert "Too early to tell whether the hallucination rate changes" in text
    assert "Highest hallucination rate by agent: agent-" in text
    assert "Most often unsupported: file" in text
    assert "1 of these answers is waiting for review" in text


def test_agent_text_is_not_markup(browse, viewer, project):
    VerificationFactory(
        interaction__project=project, interaction__agent_name="<b>bold</b>"
    )

    text = browse(viewer).get(PAGE).content.decode()

    assert "<b>bold</b>" not in text
    assert "&lt;b&gt;bold&lt;/b&gt;" in text


def test_figures_lead_to_the_answers_behind_them(browse, viewer, project):
    busy(project)

    client = browse(viewer)

    pages = [
        client.get(PAGE + path, {"days": "all"}).content.decode()
        for path in ("", "progress/", "inventions/")
    ]

    today = timezone.now().date()
    verdicts = f"/p/acme/answers/?since={today}&amp;until={today}&amp;verdict=reject"
    assert pages[0].count(f'"{verdicts}"') == 2
    assert '"/p/acme/answers/?verdict=flagged"' in pages[0]
    assert '"/p/acme/answers/?agent=agent-1&amp;checked=yes"' in pages[1]
    assert pages[2].count('"/p/acme/answers/?ghost=file%3Aghost_1.py"') >= 2


def test_htmx_gets_the_figures_alone(browse, viewer):
    response = browse(viewer).get(PAGE, headers={"hx-request": "true"})

    assert response.content.strip().startswith(b'<div id="figures"')
    assert "HX-Request" in response["Vary"]


@pytest.mark.parametrize("days", ["7", "30", "90", "all"])
def test_the_chosen_window_is_marked(browse, viewer, days):
    text = browse(viewer).get(PAGE, {"days": days}).content.decode()

    assert f'<option value="{days}" selected>' in text


def test_the_number_of_queries_does_not_grow(
    browse, viewer, project, django_assert_max_num_queries
):
    busy(project, answers=6)
    client = browse(viewer)

    with django_assert_max_num_queries(33):
        client.get(PAGE)


@pytest.mark.parametrize("name", sorted(PLOTS.keys() - {"values-by-kind"}))
def test_plots_are_images_without_script(browse, viewer, project, name):
    busy(project)
    url = reverse("metrics:plot", args=["acme", name, "svg"])

    response = browse(viewer).get(url, {"theme": "dark", "days": "all"})

    assert response["Content-Type"] == "image/svg+xml"
    assert response["Content-Disposition"] == f'attachment; filename="acme-{name}.svg"'
    tags = {
        element.tag.split("}")[1]
        for element in ElementTree.fromstring(response.content).iter()
    }
    assert "svg" in tags
    assert not tags & {"script", "foreignObject", "image", "a"}


def test_a_plot_without_answers_is_still_an_image(browse, viewer):
    response = browse(viewer).get("/p/acme/metrics/plots/confidence.svg")

    assert ElementTree.fromstring(response.content).tag.endswith("svg")


def test_a_plot_is_a_picture_or_a_table_for_who_wants_it(browse, viewer, project):
    busy(project)
    client = browse(viewer)

    picture = client.get("/p/acme/metrics/plots/verdicts-by-day.png")
    table = client.get("/p/acme/metrics/plots/verdicts-by-day.csv")

    assert picture.content.startswith(b"\x89PNG")
    row = next(csv.DictReader(io.StringIO(table.getvalue().decode(), newline="")))
    assert (row["accept"], row["reject"]) == ("0", "3")


def test_a_table_runs_no_formula(browse, viewer, project):
    VerificationFactory(
        interaction__project=project, interaction__agent_name="=HYPERLINK(1)"
    )

    response = browse(viewer).get("/p/acme/metrics/plots/hallucinated-by-agent.csv")

    assert '"\'=HYPERLINK(1)"' in response.getvalue().decode()


@pytest.mark.parametrize("tab", TABS)
def test_every_tab_answers_with_and_without_answers(browse, viewer, project, tab):
    client = browse(viewer)
    url = PAGE if tab == "overview" else f"{PAGE}{tab}/"

    empty = client.get(url)
    busy(project)
    full = client.get(url)

    assert b"POST /api/v1/interactions/" in empty.content
    assert str(TABS[tab].question) in html.unescape(full.content.decode())
    assert b'class="plot-svg"' in full.content or tab in ("cost", "people")


def test_figures_are_narrowed_to_an_agent_and_links_keep_it(browse, viewer, project):
    busy(project)

    page = browse(viewer).get(PAGE, {"agent": "agent-1", "days": "all"})

    text = html.unescape(page.content.decode())
    assert "1 of 1" in re.sub("<[^>]+>", "", text)
    assert "/p/acme/answers/?agent=agent-1&verdict=flagged" in text
    assert "/p/acme/metrics/progress/?days=all&agent=agent-1" in text


def test_what_a_figure_leads_to_has_as_many_answers_as_it_says(browse, viewer, project):
    busy(project, answers=3)
    VerificationFactory(interaction__project=project, confidence=1.0)
    client = browse(viewer)

    for query, count in (
        ("verdict=flagged", 3),
        ("invented=yes", 3),
        ("confidence=9", 4),
        ("person=wrong", 3),
    ):
        found = client.get(f"/p/acme/answers/?{query}").context["page"]
        assert found.paginator.count == count, query


def test_sides_are_compared_on_a_page(browse, viewer, project):
    busy(project)
    client = browse(viewer)

    page = client.get(f"{PAGE}compare/", {"side": ["agent-0", "agent-1"]})

    text = page.content.decode()
    assert "too few cases" in text
    assert 'value="agent-1" checked' in text
    table = client.get(f"{PAGE}compare.csv", {"side": ["agent-0", "agent-1"]})
    assert b'"agent","agent-0","agent-1","flagged"' in table.getvalue()


def test_a_hostile_side_is_no_markup(browse, viewer, project):
    for name in ("<script>alert(1)</script>", "%(side)s {0} %s"):
        VerificationFactory(interaction__project=project, interaction__agent_name=name)

    text = browse(viewer).get(f"{PAGE}compare/").content.decode()

    assert "<script>alert(1)" not in text
    assert "%(side)s {0} %s" in text


@pytest.mark.parametrize("ending", ["svg", "png", "csv"])
def test_shares_side_by_side_are_files_too(browse, viewer, project, ending):
    busy(project)
    client = browse(viewer)
    query = {"side": ["agent-0", "agent-1"], "theme": "dark"}

    page = client.get(f"{PAGE}compare/", query).content.decode()
    response = client.get(f"{PAGE}compare/plot.{ending}", query)

    assert f"{PAGE}compare/plot.{ending}?side=agent-0&amp;side=agent-1" in page
    name = f"acme-compare-agent-shares.{ending}"
    assert response["Content-Disposition"] == f'attachment; filename="{name}"'
    body = response.getvalue()
    if ending == "csv":
        row = next(csv.DictReader(io.StringIO(body.decode(), newline="")))
        assert (row["side"], row["share"], row["share_n"]) == ("agent-0", "1.0", "1")
    else:
        assert body.startswith(b"\x89PNG" if ending == "png" else b"<svg")


EDGES = [
    ({"side": ["agent-0", "agent-0"]}, "Choose at least two sides."),
    ({"side": ["agent-0"]}, "Choose at least two sides."),
    ({"side": ["agent-0", "nobody"]}, "nothing to compare"),
    ({"side": ["nobody", "nothing"]}, "too few cases"),
    ({"side": ["agent-0", "x" * 10_000]}, "This side does not exist."),
    ({"side": [f"agent-{n}" for n in range(200)]}, "Choose at most 5 sides."),
    ({"side": ["agent-0", "\u202eagent"]}, "nothing to compare"),
    ({"by": "strictness"}, "Nothing to compare yet"),
    ({"by": "nonsense"}, "Nothing to compare yet"),
]


@pytest.mark.parametrize(("query", "said"), EDGES)
def test_odd_sides_are_told_of_in_words(browse, viewer, project, query, said):
    busy(project)
    client = browse(viewer)

    page = client.get(f"{PAGE}compare/", query)
    files = [client.get(f"{PAGE}compare/plot.svg", query)]
    files.append(client.get(f"{PAGE}compare.csv", query))

    assert page.status_code == 200
    assert said in html.unescape(page.content.decode())
    assert {file.status_code for file in files} <= {200, 400}


def test_of_many_agents_those_with_the_most_answers_are_offered(
    browse, viewer, project
):
    for number in range(25):
        VerificationFactory(
            interaction__project=project, interaction__agent_name=f"agent-{number}"
        )

    page = browse(viewer).get(f"{PAGE}compare/")

    assert len(page.context["choices"]) == MAX_OFFERED
    assert [one.value for one in page.context["comparison"].sides] == [
        "agent-0",
        "agent-1",
    ]


def test_with_nothing_to_compare_the_page_says_how(browse, viewer):
    for by in DIMENSIONS:
        page = browse(viewer).get(f"{PAGE}compare/", {"by": by})
        assert b"metadata.prompt_version" in page.content


def test_a_reviewer_downloads_rows_of_the_project(browse, reviewer, project):
    busy(project, answers=2)
    busy(ProjectFactory())

    response = browse(reviewer).get("/p/acme/metrics/export/mentions.csv")

    rows = list(csv.DictReader(io.StringIO(response.getvalue().decode(), newline="")))
    assert {row["text"] for row in rows} == {"ghost_0.py", "ghost_1.py"}
    assert response["Content-Disposition"].endswith('"acme-mentions.csv"')


@pytest.mark.parametrize("query", ["since=tomorrow", "until=2026-13-01", "verdict=no"])
def test_a_filter_that_makes_no_sense_is_refused(browse, reviewer, query):
    response = browse(reviewer).get(f"/p/acme/metrics/export/verdicts.csv?{query}")

    assert response.status_code == 400
    assert response.content.decode().startswith(query.split("=")[0])


def test_a_viewer_may_look_but_not_export(browse, viewer):
    assert browse(viewer).get(PAGE).status_code == 200
    export = browse(viewer).get("/p/acme/metrics/export/verdicts.csv")
    assert export.status_code == 403
    assert "/p/acme/exports/" not in browse(viewer).get(PAGE).content.decode()


def test_the_rows_behind_the_figures_are_one_click_away(browse, reviewer, project):
    busy(project)
    client = browse(reviewer)

    page = client.get(PAGE, {"days": "7", "agent": "agent-1"}).content.decode()
    address = html.unescape(
        re.search(r'href="(/p/acme/exports/\?[^"]+)"', page).group(1)
    )
    exports = client.get(address).content.decode()
    download = re.search(r'href="([^"]+/interactions\.csv\?[^"]+)"', exports)
    rows = client.get(html.unescape(download.group(1))).getvalue().decode()

    found = list(csv.DictReader(io.StringIO(rows, newline="")))
    assert [row["agent_name"] for row in found] == ["agent-1"]
    assert 'aria-current="page">Exports' in exports


@pytest.mark.parametrize(
    "path", ["", "plots/confidence.svg", "export/interactions.jsonl"]
)
def test_to_outsiders_the_project_does_not_exist(browse, outsider, project, path):
    assert browse(outsider).get(PAGE + path).status_code == 404


@pytest.mark.parametrize("path", ["plots/x.svg", "export/x.csv", "export/verdicts.xls"])
def test_what_is_not_there_is_not_found(browse, admin, path):
    assert browse(admin).get(PAGE + path).status_code == 404


def test_nothing_is_changed_by_a_post(browse, admin):
    assert browse(admin).post(PAGE).status_code == 405
