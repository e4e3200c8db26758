"""A real worker is killed in the middle of embedding; nothing is lost or doubled."""

import pytest
from django.utils import timezone

from tests.knowledge.texts import bring, embed_all, long_text
from tests.verification.test_worker import Processes, eventually, use_broker
from verifyhub.accounts.models import Project
from verifyhub.inference.models import EmbeddingChoice, ModelEndpoint
from verifyhub.inference.services import save_endpoint
from verifyhub.knowledge.models import EmbeddingSpace, PassageVector
from verifyhub.knowledge.selectors import progress_of
from verifyhub.knowledge.services import reconcile, sweep_spaces, wanted_space

pytestmark = [pytest.mark.worker, pytest.mark.django_db(transaction=True)]
State = EmbeddingSpace.State


@pytest.fixture
def processes(tmp_path):
    from celery import current_app

    running = Processes(tmp_path)
    running.start_broker()
    before = current_app.conf.broker_url
    use_broker(running.url)
    yield running
    running.stop()
    use_broker(before)


def changed_to_the_local_model(project: Project) -> EmbeddingSpace:
    """A project whose vectors, of another model, serve while the local one embeds."""
    endpoint = save_endpoint(
        project=project,
        values=ModelEndpoint(name="away", base_url="https://models.example.com/v1"),
        actor=None,
    )
    choice = EmbeddingChoice.objects.create(
        project=project, endpoint=endpoint, model="old", dimension=4
    )
    document = bring(project, long_text(700))
    old = EmbeddingSpace.objects.get()
    PassageVector.objects.bulk_create(
        PassageVector(
            project=project,
            passage=row,
            space=old,
            dimension=4,
            embedding=[0.5, 0.5, 0.5, 0.5],
        )
        for row in document.passages.all()
    )
    EmbeddingSpace.objects.update(state=State.FINISHED)
    choice.delete()
    wanted_space(project)
    return old


def test_embedding_anew_goes_on_where_a_killed_worker_left_it(processes, project):
    old = changed_to_the_local_model(project)
    new = EmbeddingSpace.objects.get(is_wanted=True)
    vectors = PassageVector.objects.filter(space=new)

    processes.start_worker()
    eventually(vectors.exists)
    processes.kill_worker()

    new.refresh_from_db()
    written = set(vectors.values_list("pk", flat=True))
    progress = progress_of(project)
    assert 0 < progress.done < progress.total
    assert progress.serving == "old"
    assert EmbeddingSpace.objects.get(serves=True) == old

    # The dead worker's lease, ten seconds, is over.
    EmbeddingSpace.objects.filter(pk=new.pk, state=State.RUNNING).update(
        lease_until=timezone.now()
    )
    reconcile()
    embed_all(project)

    assert EmbeddingSpace.objects.get(serves=True) == new
    assert written <= set(vectors.values_list("pk", flat=True))
    assert vectors.count() == progress.total
    assert set(vectors.values_list("dimension", flat=True)) == {384}
    while sweep_spaces():
        pass
    sweep_spaces()
    assert not EmbeddingSpace.objects.filter(pk=old.pk).exists()
