"""Choosing what embeds a project's knowledge, on the page of models."""

import pytest
from django.urls import reverse

from tests.inference.models import permitting
from tests.model_server import failing, model_server, send_json
from verifyhub.audit.models import AuditEvent
from verifyhub.inference.errors import ModelSettingError
from verifyhub.inference.models import EmbeddingChoice, ModelEndpoint
from verifyhub.inference.services import (
    delete_endpoint,
    save_endpoint,
)

pytestmark = pytest.mark.django_db
URL = "/p/acme/settings/models/embedding/"


def an_endpoint(project, base_url):
    values = ModelEndpoint(name="ours", base_url=base_url)
    return save_endpoint(project=project, values=values, actor=None, key="sk-hidden")


def form(endpoint, **fields):
    return {
        "embedding_choice": str(endpoint.id) if endpoint else "local",
        "embedding_model": "embed-3",
        "embedding_price": "0.02",
        "embedding_deadline": "30",
        **fields,
    }


def five_numbers(handler, _):
    data = [{"index": 0, "embedding": [1, 2, 3, 4, 5]}]
    send_json(handler, {"data": data, "usage": {"prompt_tokens": 9}})


def test_an_admin_chooses_a_model_and_goes_back(browse, admin, project, settings):
    with model_server(five_numbers) as server:
        settings.MODELS = permitting(server)
        endpoint = an_endpoint(project, server.base_url)
        page = browse(admin).post(URL, form(endpoint), follow=True)

    choice = EmbeddingChoice.objects.get(project=project)
    assert (choice.model, choice.dimension) == ("embed-3", 5)
    assert choice.input_microdollars == 20_000
    assert b"vectors of 5 numbers" in page.content
    with pytest.raises(ModelSettingError, match="embedding"):
        delete_endpoint(endpoint=endpoint, actor=None)
    browse(admin).post(URL, form(None))
    assert not EmbeddingChoice.objects.exists()
    events = AuditEvent.objects.filter(action="inference.embedding_set")
    assert [one.after["model"] for one in events.order_by("id")] == ["embed-3", "local"]


def test_a_model_that_gives_no_vector_is_not_taken(browse, admin, project, settings):
    with model_server(failing(404)) as server:
        settings.MODELS = permitting(server)
        endpoint = an_endpoint(project, server.base_url)
        page = browse(admin).post(URL, form(endpoint))

    assert page.status_code == 422
    assert b"The model returned no vector: the endpoint answered 404." in page.content
    assert b"sk-hidden" not in page.content
    assert not EmbeddingChoice.objects.exists()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"embedding_model": " "}, b"Give the model&#x27;s name at the endpoint."),
        ({"embedding_price": "1001"}, b"Enter a price between 0 and 1000 dollars."),
        ({"embedding_deadline": "0"}, b"Enter a number between 1 and 240."),
    ],
)
def test_values_that_cannot_be_used_are_named(browse, admin, project, fields, said):
    endpoint = an_endpoint(project, "https://models.example.com/v1")

    page = browse(admin).post(URL, form(endpoint, **fields))

    assert page.status_code == 422
    assert said in page.content


def test_only_admins_choose(browse, lead, project):
    assert browse(lead).post(URL, form(None)).status_code == 403
    assert reverse("inference:embedding-save", args=["acme"]) == URL
