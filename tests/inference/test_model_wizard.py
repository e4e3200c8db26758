"""Adding a model: address and key, a test, a tier; a refusal says what to do."""

import pytest
from django.urls import reverse

from tests.inference.models import SECRET, permitting, prose, whatever_is_forced
from tests.model_server import model_server
from verifyhub.common import private_hosts
from verifyhub.engine.llm import memory
from verifyhub.engine.llm.configure import ModelSettings
from verifyhub.inference.models import ModelEndpoint, TierModel

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_learned():
    memory.forget()


@pytest.fixture
def client_of_admin(browse, admin):
    return browse(admin)


FIRST = "/p/acme/settings/models/new/"
MODEL = {"model": "our-model", "tier": "medium"}


def a_step_further(client, address, key=SECRET):
    values = {"provider": "local", "base_url": address, "key": key}
    reply = client.post(FIRST, values)
    assert reply.status_code == 302, reply.content.decode()
    return reply.url


def test_a_model_that_replies_is_in_force_after_two_steps(settings, client_of_admin):
    with model_server(whatever_is_forced) as server:
        settings.MODELS = permitting(server)
        second = a_step_further(client_of_admin, server.base_url)
        assert SECRET not in client_of_admin.get(second).content.decode()

        client_of_admin.post(second, {**MODEL, "act": "use"})

    row = TierModel.objects.get()
    assert (row.tier, row.model, row.is_on) == ("medium", "our-model", True)
    assert row.endpoint.base_url == server.base_url


def test_a_test_changes_nothing(settings, client_of_admin):
    with model_server(whatever_is_forced) as server:
        settings.MODELS = permitting(server)
        second = a_step_further(client_of_admin, server.base_url)

        reply = client_of_admin.post(second, {**MODEL, "act": "test"})

    assert b"It works." in reply.content
    assert not TierModel.objects.exists()


def test_a_model_that_does_not_reply_is_used_only_when_somebody_insists(
    settings, client_of_admin
):
    with model_server(prose) as server:
        settings.MODELS = permitting(server)
        second = a_step_further(client_of_admin, server.base_url)

        reply = client_of_admin.post(second, {**MODEL, "act": "use"})
        assert reply.status_code == 422
        assert b"It does not work yet." in reply.content
        assert not TierModel.objects.exists()
        client_of_admin.post(second, {**MODEL, "act": "anyway"})

    assert TierModel.objects.get().model == "our-model"


@pytest.fixture
def home(settings, tmp_path):
    settings.HOME, settings.MODELS = tmp_path, ModelSettings()
    return tmp_path


def test_a_private_address_says_how_it_is_allowed_and_then_is_at_once(
    home, client_of_admin
):
    values = {"provider": "local", "base_url": "http://127.0.0.1:11434/v1"}

    refused = client_of_admin.post(FIRST, values)
    private_hosts.change(home, "models", "127.0.0.1:11434")
    taken = client_of_admin.post(FIRST, values)

    assert refused.status_code == 422
    page = refused.content.decode()
    assert "verifyhub allow models 127.0.0.1:11434" in page
    assert "VERIFYHUB_MODEL_ALLOW_PRIVATE=127.0.0.1:11434" in page
    assert taken.status_code == 302


def test_a_name_that_leads_to_a_private_address_is_told_of_by_the_test(
    home, client_of_admin
):
    second = a_step_further(client_of_admin, "http://localhost:11434/v1")

    reply = client_of_admin.post(second, {**MODEL, "act": "use"})

    assert "verifyhub allow models localhost:11434" in reply.content.decode()
    assert not TierModel.objects.exists()


def test_webhooks_are_told_likewise(home, client_of_admin):
    values = {"name": "ci", "form": "webhook", "url": "https://10.0.0.5:8443/hook"}
    where = reverse("events:webhook-add", args=["acme"])

    refused = client_of_admin.post(where, values)
    private_hosts.change(home, "webhooks", "10.0.0.5:8443")
    taken = client_of_admin.post(where, values)

    assert "verifyhub allow webhooks 10.0.0.5:8443" in refused.content.decode()
    assert (refused.status_code, taken.status_code) == (422, 201)


def test_what_others_may_write_allows_nothing(home):
    private_hosts.change(home, "models", "localhost:11434")
    assert private_hosts.allowed_in(home, "models") == {("localhost", 11434)}

    (home / private_hosts.NAME).chmod(0o666)

    assert private_hosts.allowed_in(home, "models") == frozenset()


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"provider": "local"}, "base_url"),
        ({"provider": "openai"}, "key"),
        ({"provider": "nobody"}, "provider"),
        ({"provider": "other", "base_url": "ftp://models.example.com"}, "base_url"),
    ],
)
def test_what_is_missing_is_said_beside_its_field(client_of_admin, values, field):
    reply = client_of_admin.post(FIRST, values)

    assert reply.status_code == 422
    assert list(reply.context["form"].errors) == [field]
    assert not ModelEndpoint.objects.exists()


def test_a_second_endpoint_of_a_provider_gets_another_name(client_of_admin):
    for _ in range(2):
        client_of_admin.post(FIRST, {"provider": "openai", "key": SECRET})

    names = ModelEndpoint.objects.order_by("name").values_list("name", flat=True)
    assert list(names) == ["OpenAI", "OpenAI 2"]


@pytest.mark.parametrize(
    "name", ["endpoint-add", "caps-save", "embedding-save", "model-new"]
)
def test_a_refused_form_can_be_reloaded(client_of_admin, name):
    where = reverse(f"inference:{name}", args=["acme"])

    assert client_of_admin.get(where, follow=True).status_code == 200


@pytest.mark.parametrize(("who", "status"), [("lead", 403), ("outsider", 404)])
def test_only_an_admin_of_the_project_adds_models(request, browse, who, status):
    client = browse(request.getfixturevalue(who))
    request.getfixturevalue("project")

    assert client.post(FIRST, {"provider": "openai"}).status_code == status
