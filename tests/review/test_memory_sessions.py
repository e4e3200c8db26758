"""Sessions with what they know: the list, the timeline, the tree."""

import pytest
from django.urls import reverse

from tests.factories import (
    InteractionFactory,
    OverrideFactory,
    SessionFactory,
    VerificationFactory,
)
from tests.memory.reports import mention, remember, remember_again
from verifyhub.ingest.models import Interaction
from verifyhub.memory.services import deliver_context
from verifyhub.review.runs.knowledge import MAX_LESSONS

pytestmark = pytest.mark.django_db


def listed(client, project, **query):
    url = reverse("review:memory-sessions", args=[project.slug], query=query)
    return client.get(url).content.decode()


def opened(client, session, **query):
    args = [session.project.slug, session.id]
    reply = client.get(reverse("review:memory-session", args=args, query=query))
    assert reply.status_code == 200
    return reply.content.decode()


def test_the_list_says_what_each_session_knows(project, viewer, browse):
    remember(project, mention("mind-auth"), mention("requests", status="verified"))

    assert "1 blocker" in " ".join(listed(browse(viewer), project).split())


def test_filters_choose_sessions_by_what_they_know(project, viewer, browse):
    blocked = remember(project, mention("mind-auth")).session.key
    clean = remember(project, mention("requests", status="verified")).session.key
    idle = InteractionFactory(project=project, agent_name="coder").session.key
    client = browse(viewer)

    def shown(**query):
        text = listed(client, project, **query)
        return {key for key in (blocked, clean, idle) if f">{key}<" in text}

    assert shown(knows="blocker") == {blocked}
    assert shown(knows="nothing") == {idle}
    assert shown(agent="coder") == {idle}
    assert shown(text=clean) == {clean}
    assert shown(until="2020-01-01") == set()


def test_the_timeline_shows_what_each_answer_taught(project, viewer, browse):
    answer = remember(project, mention("mind-auth"), gaps=["no test was run"])
    run = VerificationFactory(interaction=answer, project=project)
    OverrideFactory(
        project=project,
        item__project=project,
        item__interaction=answer,
        item__verification=run,
    )
    delivery = deliver_context(
        project=project,
        session_key=answer.session.key,
        task="",
        budget=500,
        format="text",
    )

    text = opened(browse(viewer), answer.session)

    assert "mind-auth" in text
    assert "no test was run" in text
    assert "reject → accept" in text
    assert "supported by this answer" in text
    assert delivery.delivered.sha256[:16] in text


def test_an_answer_names_the_context_it_was_told(project, viewer, browse):
    answer = remember(project, mention("mind-auth"))
    sha256 = deliver_context(
        project=project, session_key="x", task="", budget=500, format="text"
    ).delivered.sha256
    Interaction.objects.filter(id=answer.id).update(context_sha256=sha256)

    assert "was sent" in opened(browse(viewer), answer.session)


def test_the_tree_puts_entries_below_attempts(project, viewer, browse):
    answer = remember(project, mention("mind-auth"))
    child = InteractionFactory(
        project=project, session=answer.session, parent=answer.client_id, task="Sub"
    )
    remember_again(child, mention("requests"))

    text = opened(browse(viewer), answer.session, view="tree")

    assert text.index("mind-auth") < text.index("Subtask") < text.index("requests")


def test_of_many_entries_the_rest_is_a_link_away(project, viewer, browse):
    names = [mention(f"package-{n}") for n in range(MAX_LESSONS + 3)]
    answer = remember(project, *names)

    text = opened(browse(viewer), answer.session)

    assert "3 more entries" in text
    assert f"answer={answer.id}" in text


@pytest.mark.parametrize("view", ["timeline", "tree"])
def test_queries_do_not_grow_with_the_session(
    project, viewer, browse, django_assert_max_num_queries, view
):
    session = SessionFactory(project=project)
    for number in range(30):
        remember(project, mention(f"package-{number}"), session=session)
    client = browse(viewer)

    with django_assert_max_num_queries(30):
        opened(client, session, view=view, page=2)


def test_empty_lists_teach(project, viewer, browse):
    assert "No session yet" in listed(browse(viewer), project)
    assert "Nothing matches" in listed(browse(viewer), project, text="x")


def test_foreign_sessions_are_not_there(project, viewer, outsider, browse):
    foreign = InteractionFactory().session
    url = reverse("review:memory-session", args=[project.slug, foreign.id])

    assert browse(viewer).get(url).status_code == 404
    assert browse(outsider).get(url).status_code == 404
