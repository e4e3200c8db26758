import pytest
from django.db import connection
from django.urls import reverse

from tests.factories import ConstraintFactory, InteractionFactory
from tests.memory.reports import mention, remember
from verifyhub.memory import selectors
from verifyhub.memory.models import Constraint, MemoryEntry

pytestmark = pytest.mark.django_db

INVENTED = mention("mind-auth", suggestion="mind-engine")
REAL = mention("mind-engine", status="verified")


def address(project, **query):
    return reverse("memory:browser", args=[project.slug], query=query)


def act(client, row, verb, **data):
    kind = "constraint" if isinstance(row, Constraint) else "entry"
    url = reverse(f"memory:{kind}-act", args=[row.project.slug, row.id, verb])
    return client.post(url, data, follow=True)


@pytest.mark.parametrize(
    ("tab", "name"),
    [
        ("constraints", "mind-auth"),
        ("findings", "mind-engine"),
        ("blockers", "mind-auth"),
        ("gaps", "no test was run"),
    ],
)
def test_each_tab_shows_its_kind(project, viewer, browse, tab, name):
    remember(project, INVENTED, REAL, gaps=["no test was run"])

    page = browse(viewer).get(address(project, tab=tab))

    assert page.status_code == 200
    assert name in page.content.decode()


@pytest.mark.parametrize(
    "tab", ["constraints", "findings", "blockers", "gaps", "corrections"]
)
def test_an_empty_tab_says_how_it_fills(project, viewer, browse, tab):
    page = browse(viewer).get(address(project, tab=tab))

    assert 'class="empty"' in page.content.decode()


def test_filters_narrow_the_list(project, viewer, browse):
    first = remember(project, mention("alpha"))
    remember(project, mention("beta"))
    filters = {"tab": "blockers", "session": first.session.key}

    text = browse(viewer).get(address(project, **filters)).content.decode()

    assert "alpha" in text
    assert "beta" not in text


def test_search_and_state_narrow_the_constraints(project, viewer, browse):
    ConstraintFactory(project=project, text="alpha", state="active")
    ConstraintFactory(project=project, text="alphabet", state="retired")
    query = {"search": "ALPHA", "state": "retired"}

    text = browse(viewer).get(address(project, **query)).content.decode()

    assert "alphabet" in text
    assert "<code>alpha</code>" not in text


@pytest.mark.parametrize("search", ["a\x00b", "x" * 500, "%_\\'"])
def test_an_unusable_search_does_no_harm(project, viewer, browse, search):
    assert browse(viewer).get(address(project, search=search)).status_code < 500


def test_htmx_gets_only_the_list(project, viewer, browse):
    page = browse(viewer).get(address(project), headers={"hx-request": "true"})

    assert page.content.decode().lstrip().startswith('<div id="memory-list"')
    assert "HX-Request" in page.headers["Vary"]


def test_another_projects_memory_is_not_there(project, viewer, browse):
    remember(InteractionFactory().project, mention("their-secret"))

    text = browse(viewer).get(address(project, tab="blockers")).content.decode()

    assert "their-secret" not in text


def test_the_page_does_not_exist_for_outsiders(project, outsider, browse):
    assert browse(outsider).get(address(project)).status_code == 404


def test_queries_do_not_grow_with_the_rows(
    project, lead, browse, django_assert_max_num_queries
):
    for number in range(30):
        remember(project, mention(f"package-{number}"))

    client = browse(lead)

    with django_assert_max_num_queries(14):
        client.get(address(project, tab="blockers"))


def test_hostile_names_are_shown_not_obeyed(project, viewer, browse):
    remember(project, mention("<script>alert(1)</script>\u202egpj.exe"))

    text = browse(viewer).get(address(project, tab="blockers")).content.decode()

    assert "<script>alert(1)" not in text
    assert "\u202e" not in text


def test_a_name_in_look_alike_letters_is_called_so(project, viewer, browse):
    remember(project, mention("mind-еngine"))

    text = browse(viewer).get(address(project)).content.decode()

    assert "in look-alike letters" in text


def test_a_lead_pins_retires_and_restores(project, lead, browse):
    remember(project, INVENTED)
    client = browse(lead)
    states = []

    for verb in ("pin", "retire", "restore"):
        act(client, Constraint.objects.get(), verb)
        row = Constraint.objects.get()
        states.append((row.state, row.pinned))

    assert states == [("active", True), ("retired", True), ("candidate", False)]


def test_a_lead_words_the_right_name(project, lead, browse):
    constraint = ConstraintFactory(project=project)

    page = act(browse(lead), constraint, "suggestion", suggestion="mind-engine")

    assert "Suggestion saved." in page.content.decode()
    constraint.refresh_from_db()
    assert constraint.suggestion == "mind-engine"


@pytest.mark.parametrize("suggestion", ["a\nb", "x" * 201, "a\x00b"])
def test_an_unusable_suggestion_is_refused(project, lead, browse, suggestion):
    constraint = ConstraintFactory(project=project, suggestion="mind-engine")

    act(browse(lead), constraint, "suggestion", suggestion=suggestion)

    constraint.refresh_from_db()
    assert constraint.suggestion == "mind-engine"


def test_a_lead_retracts_and_restores_an_entry(project, lead, browse):
    remember(project, INVENTED)
    client = browse(lead)
    states = []

    for verb in ("retract", "restore"):
        act(client, MemoryEntry.objects.get(), verb)
        states.append((MemoryEntry.objects.get().state, Constraint.objects.get().state))

    assert states == [("retracted", "retired"), ("active", "candidate")]


def test_an_act_by_htmx_returns_its_row(project, lead, browse):
    constraint = ConstraintFactory(project=project)
    url = reverse("memory:constraint-act", args=[project.slug, constraint.id, "pin"])

    page = browse(lead).post(url, headers={"hx-request": "true"})

    text = page.content.decode().strip()
    assert text.startswith(f'<tr id="constraint-{constraint.id}"')
    assert "Pinned" in text


def test_after_an_act_the_filters_are_kept(project, lead, browse):
    constraint = ConstraintFactory(project=project)

    page = act(browse(lead), constraint, "pin", back="tab=constraints&state=active")

    assert page.redirect_chain[0][0].endswith("?tab=constraints&state=active")


def test_the_way_back_stays_on_this_site(project, lead, browse):
    constraint = ConstraintFactory(project=project)

    page = act(browse(lead), constraint, "pin", back="//evil.example/\r\nX: y")

    assert page.redirect_chain[0][0].startswith(f"/p/{project.slug}/memory/?")


@pytest.mark.parametrize("role", ["viewer", "reviewer"])
def test_others_may_not_edit(project, browse, role, request):
    constraint = ConstraintFactory(project=project)

    page = act(browse(request.getfixturevalue(role)), constraint, "pin")

    assert page.status_code == 403
    constraint.refresh_from_db()
    assert not constraint.pinned


def test_a_foreign_constraint_is_not_there(project, lead, browse):
    foreign = ConstraintFactory()
    url = reverse("memory:constraint-act", args=[project.slug, foreign.id, "pin"])

    assert browse(lead).post(url).status_code == 404


def test_an_unknown_act_is_not_there(project, lead, browse):
    assert act(browse(lead), ConstraintFactory(project=project), "x").status_code == 404


def test_the_next_prompt_is_shown_as_agents_get_it(project, viewer, browse):
    interaction = remember(project, INVENTED, REAL)
    url = reverse(
        "memory:next-prompt",
        args=[project.slug],
        query={"session": interaction.session.key, "task": "auth", "budget": 500},
    )

    text = browse(viewer).get(url).content.decode()

    assert "use &quot;mind-engine&quot;; there is no package" in text


MANY = """
INSERT INTO memory_memoryentry (created_at, updated_at, id, project_id, key, kind,
    state, mention_kind, mention_key, text, suggestion, mention_status, source)
SELECT now(), now(), gen_random_uuid(), %s, 'k' || n, 'blocker', 'active', 'file',
    'f' || n, 'f' || n, '', '', 'verification'
FROM generate_series(1, 3000) AS n
"""


def test_a_rare_kind_is_not_looked_for_among_all_that_was_learned(project):
    with connection.cursor() as cursor:
        cursor.execute(MANY, [project.id])
        cursor.execute("ANALYZE memory_memoryentry")

    plan = selectors.entries(project, kind="preference")[:50].explain()

    assert "memory_entry_made_of_kind" in plan
