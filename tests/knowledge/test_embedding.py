"""Embedding in the background, and changing the model that embeds."""

import math
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from tests.factories import ProjectFactory
from tests.knowledge.texts import LYON, bring, embed_all, long_text
from tests.model_server import failing, model_server, send_json
from verifyhub.common.leases import try_lease
from verifyhub.egress.policy import target_of
from verifyhub.engine.llm.configure import ModelSettings
from verifyhub.inference.models import EmbeddingChoice, ModelCall, ModelEndpoint
from verifyhub.inference.services import (
    save_endpoint,
    set_caps,
    set_embedding,
)
from verifyhub.knowledge.models import Document, EmbeddingSpace, PassageVector
from verifyhub.knowledge.selectors import progress_of
from verifyhub.knowledge.services import (
    embed as embedding,
)
from verifyhub.knowledge.services import (
    embed_space,
    search_knowledge,
    spaces,
    sweep_spaces,
)

pytestmark = pytest.mark.django_db
State = EmbeddingSpace.State


def answering(dimension=3):
    """An endpoint whose vectors tell texts with "flood" from others."""

    def respond(handler, request):
        data = []
        for place, text in enumerate(request["input"]):
            vector = [1.0, 2.0 if "flood" in text else 0.1] + [0.0] * (dimension - 2)
            data.append({"index": place, "embedding": vector})
        usage = {"prompt_tokens": 10 * len(data)}
        send_json(handler, {"data": data, "usage": usage})

    return respond


def allowing(*servers) -> ModelSettings:
    """Settings of an operator who lets projects ask these servers."""
    targets = [target_of(server.base_url) for server in servers]
    hosts = frozenset((target.host, target.port) for target in targets)
    return ModelSettings(allow_private=hosts)


@pytest.fixture
def served(settings):
    """A server of embeddings that projects may ask."""
    with model_server(answering()) as server:
        settings.MODELS = allowing(server)
        yield server


def choose(project, served, model="embed-3", **fields):
    endpoint = project.model_endpoints.first() or save_endpoint(
        project=project,
        values=ModelEndpoint(name="ours", base_url=served.base_url),
        actor=None,
    )
    choice = EmbeddingChoice(endpoint=endpoint, model=model, **fields)
    return set_embedding(project=project, choice=choice, actor=None)


def test_progress_is_told_until_everything_is_embedded(project):
    document = bring(project, long_text(60))
    before = progress_of(project)
    embed_all(project)
    after = progress_of(project)

    assert (before.done, before.is_complete) == (0, False)
    assert after.is_complete
    assert after.done == after.total == document.passage_count
    document.refresh_from_db()
    assert document.state == Document.State.READY


def test_a_long_text_is_embedded_in_slices_that_others_may_interrupt(
    project, monkeypatch
):
    monkeypatch.setattr(embedding, "SLICE_SECONDS", 0.0001)
    bring(project, long_text(300))
    space = EmbeddingSpace.objects.get()

    first = embed_space(space_id=space.pk)

    space.refresh_from_db()
    assert 0 < first < progress_of(project).total
    assert (space.state, space.attempts) == (State.PENDING, 0)
    embed_all(project)
    assert progress_of(project).is_complete


def test_only_one_worker_embeds_at_a_time(project):
    bring(project)
    space = EmbeddingSpace.objects.get()
    with try_lease(embedding.LEASE):
        assert embed_space(space_id=space.pk) == 0
    assert embed_space(space_id=space.pk) == 1


def test_a_worker_that_lost_its_claim_writes_nothing(project, monkeypatch):
    bring(project)
    space = EmbeddingSpace.objects.get()

    class Late:
        name, dimension = "late", 384

        def embed(self, texts):
            # Meanwhile another one has taken the row.
            EmbeddingSpace.objects.filter(pk=space.pk).update(token=99)
            return [[1.0] + [0.0] * 383 for _ in texts]

    monkeypatch.setattr(embedding, "embedder_of", lambda _: Late())

    assert embed_space(space_id=space.pk) == 0
    assert not PassageVector.objects.exists()


def test_a_document_that_is_deleted_meanwhile_stops_nothing(project, monkeypatch):
    gone, stays = bring(project), bring(project, "Another one.")
    space = EmbeddingSpace.objects.get()
    real = embedding.embedder_of(space)

    class Slow:
        name, dimension = real.name, real.dimension

        def embed(self, texts):
            Document.objects.filter(pk=gone.pk).delete()
            return real.embed(texts)

    monkeypatch.setattr(embedding, "embedder_of", lambda _: Slow())
    embed_space(space_id=space.pk)

    assert PassageVector.objects.get().passage.document_id == stays.pk


def test_a_chosen_model_is_probed_counted_and_used(project, served):
    choice = choose(project, served, input_microdollars=20_000)
    bring(project, LYON)
    embed_all(project)

    assert choice.dimension == 3
    assert set(PassageVector.objects.values_list("dimension", flat=True)) == {3}
    (found,) = search_knowledge(project=project, text="a flood", limit=1)
    assert found.similarity == pytest.approx(1, abs=1e-3)
    calls = ModelCall.objects.order_by("created_at")
    assert [call.purpose for call in calls] == ["probe", "embedding", "embedding"]
    assert all(call.cost_microdollars == 1 for call in calls)
    assert {call.outcome for call in calls} == {"ok"}


def test_its_vectors_have_an_index_of_their_own(project, served):
    choose(project, served)
    bring(project)

    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('passage_vector_3')")
        assert cursor.fetchone()[0] == "passage_vector_3"


def test_the_old_vectors_serve_until_the_new_ones_are_complete(
    project, served, monkeypatch
):
    bring(project, long_text(60) + LYON)
    embed_all(project)
    old = EmbeddingSpace.objects.get(serves=True)
    choose(project, served)
    new = EmbeddingSpace.objects.get(is_wanted=True)
    monkeypatch.setattr(embedding, "BATCH", 2)
    monkeypatch.setattr(embedding, "SLICE_SECONDS", 0.0001)
    embed_space(space_id=new.pk)

    half = progress_of(project)
    assert 0 < half.done < half.total
    assert half.serving == old.model
    found = search_knowledge(project=project, text="a flood in Lyon", limit=1)
    assert EmbeddingSpace.objects.get(serves=True) == old
    assert found[0].similarity is not None

    monkeypatch.undo()
    embed_all(project)
    assert EmbeddingSpace.objects.get(serves=True) == new
    assert progress_of(project).is_complete
    while sweep_spaces():
        pass
    sweep_spaces()
    assert list(EmbeddingSpace.objects.all()) == [new]
    assert set(PassageVector.objects.values_list("space", flat=True)) == {new.pk}


def test_going_back_to_the_local_model_takes_up_what_is_there(project, served):
    bring(project)
    embed_all(project)
    local = EmbeddingSpace.objects.get()
    choose(project, served)
    set_embedding(project=project, choice=None, actor=None)

    local.refresh_from_db()
    assert (local.is_wanted, local.serves) == (True, True)
    embed_all(project)
    assert PassageVector.objects.filter(space=local).count() == 1


def test_vectors_are_never_compared_with_those_of_another_model_at_the_same_address(
    project, served
):
    choose(project, served)
    bring(project, LYON)
    embed_all(project)
    endpoint = project.model_endpoints.get()
    endpoint.base_url = served.base_url + "/other"
    endpoint.save()

    (found,) = search_knowledge(project=project, text="a flood", limit=1)

    assert found.similarity is None
    assert EmbeddingSpace.objects.filter(project=project).count() == 2


def test_an_endpoint_that_is_away_is_asked_again_later(project, settings):
    well, ill = answering(), failing(401)
    answers = [well, ill, well]
    with model_server(lambda *asked: answers.pop(0)(*asked)) as server:
        settings.MODELS = allowing(server)
        choose(project, server)
        bring(project)
        space = EmbeddingSpace.objects.get(is_wanted=True)

        assert embed_space(space_id=space.pk) == 0

        space.refresh_from_db()
        assert space.state == State.PENDING
        assert "401" in progress_of(project).error
        assert space.next_at > timezone.now()
        EmbeddingSpace.objects.update(next_at=None)
        assert embed_space(space_id=space.pk) == 1
        assert progress_of(project).error == ""


def test_a_cap_holds_embedding_back(project, served):
    choose(project, served)
    bring(project)
    set_caps(project=project, values={"day_tokens": 1}, actor=None)
    space = EmbeddingSpace.objects.get(is_wanted=True)

    embed_space(space_id=space.pk)

    space.refresh_from_db()
    assert "cap" in space.error
    assert not PassageVector.objects.exists()
    assert search_knowledge(project=project, text="Lyon", limit=1)


def test_a_dead_workers_work_is_rung_for(project, monkeypatch):
    bring(project)
    space = EmbeddingSpace.objects.get()
    held = spaces.QUEUE.claim(space.pk)
    EmbeddingSpace.objects.update(lease_until=timezone.now() - timedelta(minutes=5))
    rung = []
    monkeypatch.setattr(spaces.QUEUE, "ring", rung.append)

    assert spaces.reconcile() == 1

    assert rung == [space.pk]
    assert not spaces.QUEUE.renew(held)


def test_projects_embed_apart(project, served):
    other = ProjectFactory()
    choose(other, served)
    bring(project)
    bring(other)

    embed_all(project)

    assert set(PassageVector.objects.values_list("project", flat=True)) == {project.pk}
    assert math.isclose(progress_of(other).done, 0)
