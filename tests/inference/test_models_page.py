"""The page of a project's models, as people of each role meet it."""

import logging

import pytest
from django.urls import reverse

from tests.factories import ProjectFactory
from tests.inference.models import (
    SECRET,
    a_project_model,
    permitting,
    prose,
    whatever_is_forced,
)
from tests.model_server import model_server
from verifyhub.audit.models import AuditEvent
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.engine.llm import memory
from verifyhub.engine.llm.configure import ModelSettings
from verifyhub.engine.ports import ModelError, ModelRequest
from verifyhub.inference.models import (
    Budget,
    ModelCall,
    ModelEndpoint,
    ModelProbe,
    TierModel,
)
from verifyhub.inference.services import save_endpoint, verifier_for

pytestmark = pytest.mark.django_db

ENDPOINT = {
    "name": "ours",
    "dialect": "openai",
    "base_url": "https://models.example.com/v1",
    "key": SECRET,
}
TIER = {
    "model": "our-model",
    "input_price": "0.15",
    "output_price": "0.6",
    "deadline_seconds": "30",
    "max_output_tokens": "2000",
}


@pytest.fixture(autouse=True)
def nothing_learned():
    memory.forget()


def url(name: str, *arguments: object) -> str:
    return reverse(f"inference:{name}", args=["acme", *arguments])


def an_endpoint(project) -> ModelEndpoint:
    given = {"project": project, "actor": None, "key": ENDPOINT["key"]}
    fields = {name: value for name, value in ENDPOINT.items() if name != "key"}
    return save_endpoint(values=ModelEndpoint(**fields), **given)


@pytest.mark.parametrize("role", ["viewer", "reviewer", "lead"])
def test_only_an_admin_may_see_it(request, browse, role):
    person = request.getfixturevalue(role)

    assert browse(person).get(url("models")).status_code == 403


POSTS = [
    ("endpoint-add", ()),
    ("tier-save", ("medium", "first")),
    ("tier-probe", ("medium", "first")),
    ("caps-save", ()),
]


@pytest.mark.parametrize(("name", "arguments"), POSTS)
def test_nobody_else_may_change_anything(lead, outsider, browse, name, arguments):
    assert browse(lead).post(url(name, *arguments)).status_code == 403
    assert browse(outsider).post(url(name, *arguments)).status_code == 404


def test_an_endpoint_of_another_project_does_not_exist(admin, browse):
    foreign = an_endpoint(ProjectFactory())
    client = browse(admin)

    answers = [
        client.get(f"{url('models')}?endpoint={foreign.id}"),
        client.post(url("endpoint-save", foreign.id), ENDPOINT),
        client.post(url("endpoint-delete", foreign.id)),
    ]

    assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert ModelEndpoint.objects.get() == foreign


def test_the_page_says_what_is_in_force_and_from_where(
    settings, project, admin, browse
):
    settings.MODELS = ModelSettings(
        base_url="https://server.example.com/v1", models={Tier.LARGE: "server-large"}
    )
    client = browse(admin)
    client.post(url("endpoint-add"), ENDPOINT)
    endpoint = ModelEndpoint.objects.get()
    client.post(url("tier-save", "medium", "first"), {"choice": endpoint.id, **TIER})

    page = client.get(url("models")).content.decode()

    assert "server-large" in page
    assert "the server&#x27;s settings" in page or "the server's settings" in page
    assert "our-model" in page
    assert "this project: ours" in page
    assert "no price: only tokens are limited" in page
    assert TierModel.objects.get().input_microdollars == 150_000


def test_a_key_is_in_no_page_no_audit_event_and_no_log(project, admin, browse, caplog):
    client = browse(admin)
    with caplog.at_level(logging.DEBUG):
        answers = [
            client.post(url("endpoint-add"), {**ENDPOINT, "name": ""}),
            client.post(url("endpoint-add"), ENDPOINT, follow=True),
            client.post(url("endpoint-add"), ENDPOINT),
        ]
        row = ModelEndpoint.objects.get()
        answers.append(client.get(f"{url('models')}?endpoint={row.id}"))

    texts = [answer.content.decode() for answer in answers]
    texts += [f"{event.before}{event.after}" for event in AuditEvent.objects.all()]
    texts.append(caplog.text)
    assert not any(SECRET in text or row.sealed_key in text for text in texts)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", "", "This field is required."),
        ("base_url", "http://127.0.0.1:1/v1", "This address cannot be used"),
        ("key", "two words", "no spaces"),
    ],
)
def test_a_refused_endpoint_says_which_field_and_why(
    project, admin, browse, field, value, said
):
    answer = browse(admin).post(url("endpoint-add"), {**ENDPOINT, field: value})

    assert answer.status_code == 422
    assert said in str(answer.context["endpoint_form"].errors[field])
    assert not ModelEndpoint.objects.exists()


def test_a_refused_tier_shows_its_form_again(project, admin, browse):
    endpoint = an_endpoint(project)

    answer = browse(admin).post(
        url("tier-save", "large", "second"),
        {"choice": endpoint.id, **TIER, "output_price": ""},
    )

    assert answer.status_code == 422
    assert "Give both prices" in str(answer.context["tier_form"].errors["output_price"])
    assert 'id="tier-form"' in answer.content.decode()


def test_a_tier_is_switched_off_and_on_again(settings, project, admin, browse):
    settings.MODELS = ModelSettings(
        base_url="https://server.example.com/v1", models={Tier.LARGE: "server-large"}
    )
    client, save = browse(admin), url("tier-save", "large", "first")
    off = client.post(save, {"choice": "off", **TIER}, follow=True).content.decode()
    on = client.post(save, {"choice": "server", **TIER}, follow=True).content.decode()

    assert "turned off by this project" in off
    assert "turned off by this project" not in on
    assert "server-large" in on


def test_unknown_tiers_and_parts_do_not_exist(project, admin, browse):
    client = browse(admin)

    places = [("huge", "first"), ("medium", "third"), ("small", "second")]

    assert {
        client.post(url("tier-save", *place), TIER).status_code for place in places
    } == {404}
    assert client.get(f"{url('models')}?tier=huge&slot=first").status_code == 404


def test_a_probe_says_how_the_model_replied_and_is_remembered(
    settings, project, admin, browse
):
    with model_server(whatever_is_forced) as server:
        settings.MODELS = permitting(server)
        a_project_model(project, server)
        answer = browse(admin).post(url("tier-probe", "medium", "first"), follow=True)

    page = answer.content.decode()
    assert "Forced tool calls work." in page
    assert "Forced call" in page
    assert ModelProbe.objects.get().project == project
    assert ModelCall.objects.get().purpose == "probe"
    assert AuditEvent.objects.filter(action="inference.model_probed").count() == 1


def test_a_probe_of_a_model_that_only_talks_says_so(settings, project, admin, browse):
    with model_server(prose) as server:
        settings.MODELS = permitting(server)
        a_project_model(project, server)
        answer = browse(admin).post(url("tier-probe", "medium", "first"), follow=True)

    assert "No structured reply" in answer.content.decode()


def test_caps_are_saved_in_dollars_and_shown_as_bars(project, admin, browse):
    client = browse(admin)
    client.post(url("caps-save"), {"day_microdollars": "1.5", "month_tokens": "200000"})

    page = client.get(url("models")).content.decode()

    budget = Budget.objects.get()
    assert (budget.day_microdollars, budget.month_tokens) == (1_500_000, 200_000)
    assert budget.month_microdollars is None
    assert page.count("<meter") == 2
    assert 'value="1.5"' in page


def test_a_cap_that_is_no_number_is_refused_by_its_field(project, admin, browse):
    answer = browse(admin).post(url("caps-save"), {"day_tokens": "many"})

    assert answer.status_code == 422
    assert "day_tokens" in answer.context["caps_form"].errors


def test_a_project_out_of_budget_reads_when_it_goes_on(
    settings, project, admin, browse
):
    Budget.objects.create(project=project, day_tokens=1)
    settings.MODELS = ModelSettings(
        base_url="https://server.example.com/v1", models={Tier.LARGE: "server-large"}
    )
    model = verifier_for(project=project, executor_tier="large", verification_id=None)
    with pytest.raises(ModelError):
        model.ask(
            ModelRequest(system="", user="", tool={"name": "x"}, purpose="cross_tier")
        )

    page = browse(admin).get(url("models")).content.decode()

    assert "Out of budget." in page
    assert "00:00 UTC" in page


def test_hostile_names_are_text(project, admin, browse):
    name = '<script>alert("x")</script>\u202e'
    client = browse(admin)
    save_endpoint(
        project=project,
        values=ModelEndpoint(name="<b>bold</b>", base_url=ENDPOINT["base_url"]),
        actor=None,
    )
    ModelCall.objects.create(
        project=project,
        purpose=name,
        tier="medium",
        endpoint_name=name,
        model=name,
        outcome="ok",
    )

    page = client.get(url("models")).content.decode()

    assert "<script>alert" not in page
    assert "<b>bold</b>" not in page
    assert "\u202e" not in page


def test_the_page_asks_the_database_a_bounded_number_of_times(
    project, admin, browse, django_assert_max_num_queries
):
    for number in range(12):
        save_endpoint(
            project=project,
            values=ModelEndpoint(name=f"e{number}", base_url=ENDPOINT["base_url"]),
            actor=None,
        )
    client = browse(admin)

    with django_assert_max_num_queries(30):
        assert client.get(url("models")).status_code == 200


def test_every_change_is_audited_with_who_did_it(project, admin, browse):
    client = browse(admin)
    client.post(url("endpoint-add"), ENDPOINT)
    endpoint = ModelEndpoint.objects.get()
    client.post(url("tier-save", "medium", "first"), {"choice": endpoint.id, **TIER})
    client.post(url("tier-save", "medium", "first"), {"choice": "server", **TIER})
    client.post(url("endpoint-delete", endpoint.id))
    client.post(url("caps-save"), {"day_tokens": "5"})

    events = AuditEvent.objects.filter(action__startswith="inference.").order_by("id")

    assert [event.action.removeprefix("inference.") for event in events] == [
        "endpoint_saved",
        "tier_set",
        "tier_returned",
        "endpoint_deleted",
        "caps_set",
    ]
    assert {(event.actor, event.project_id) for event in events} == {
        (admin, project.id)
    }
