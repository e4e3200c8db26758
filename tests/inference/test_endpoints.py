"""Endpoints of a project: their keys, their addresses, and the tiers that use them."""

from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

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
from verifyhub.engine.cross_tier.submission import TOOL
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.engine.llm import memory
from verifyhub.engine.llm.configure import ModelSettings
from verifyhub.engine.ports import ModelError, ModelRequest
from verifyhub.inference.errors import ModelSettingError
from verifyhub.inference.models import ModelCall, ModelEndpoint, ModelProbe, TierModel
from verifyhub.inference.sealing import UnsealError, seal, unseal
from verifyhub.inference.selectors import TierModels, models_in_force
from verifyhub.inference.services import (
    delete_endpoint,
    save_endpoint,
    set_tier,
    verifier_for,
)

pytestmark = pytest.mark.django_db

PUBLIC = "https://models.example.com/v1"
QUESTION = {"system": "Check.", "user": "{}", "tool": TOOL, "purpose": "cross_tier"}


@pytest.fixture(autouse=True)
def nothing_learned():
    memory.forget()


def saved(project, endpoint=None, *, key="", drop_key=False, **values):
    values = ModelEndpoint(**{"name": "ours", "base_url": PUBLIC, **values})
    return save_endpoint(
        project=project,
        values=values,
        actor=None,
        endpoint=endpoint,
        key=key,
        drop_key=drop_key,
    )


def an_endpoint(project, **values) -> ModelEndpoint:
    return saved(project, **{"key": SECRET, **values})


def a_tier(project, endpoint, *, tier=Tier.MEDIUM, second=False, **values) -> TierModel:
    return set_tier(
        project=project,
        tier=tier,
        second=second,
        choice=TierModel(endpoint=endpoint, model="our-model", **values),
        actor=None,
    )


def test_a_key_is_stored_sealed_and_never_in_the_audit_log(project):
    row = an_endpoint(project)

    event = AuditEvent.objects.get(action="inference.endpoint_saved")
    assert SECRET not in row.sealed_key
    assert unseal(row.sealed_key, row=row.id) == SECRET
    assert SECRET not in f"{event.before}{event.after}"
    assert row.sealed_key not in f"{event.before}{event.after}"
    assert event.after["key"] == "given"


def test_a_sealed_key_opens_in_its_own_row_only():
    row = uuid4()

    sealed = seal(SECRET, row=row)

    with pytest.raises(UnsealError):
        unseal(sealed, row=uuid4())


def test_a_changed_secret_key_opens_with_the_old_one_and_can_be_sealed_anew(
    settings, project
):
    row = an_endpoint(project)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another-secret-key-for-this-test-only"

    call_command("reseal_keys")

    settings.SECRET_KEY_FALLBACKS = []
    row.refresh_from_db()
    assert unseal(row.sealed_key, row=row.id) == SECRET


def test_a_key_that_no_secret_opens_is_named_and_kept(settings, project):
    row = an_endpoint(project)
    settings.SECRET_KEY = "another-secret-key-for-this-test-only"

    with pytest.raises(CommandError, match="acme/ours"):
        call_command("reseal_keys")

    sealed = row.sealed_key
    row.refresh_from_db()
    assert row.sealed_key == sealed


@pytest.mark.parametrize(
    "changes",
    [{"base_url": "https://evil.example.com/v1"}, {"dialect": "anthropic"}],
)
def test_a_stored_key_never_goes_to_another_address(project, changes):
    row = an_endpoint(project)

    with pytest.raises(ModelSettingError) as caught:
        saved(project, row, **changes)

    assert caught.value.field == "key"


def test_another_name_keeps_the_key(project):
    row = an_endpoint(project)

    saved(project, row, name="renamed")

    row.refresh_from_db()
    assert unseal(row.sealed_key, row=row.id) == SECRET


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("base_url", "http://127.0.0.1:8000/v1"),
        ("base_url", "http://169.254.169.254/latest"),
        ("base_url", "http://2130706433/"),
        ("base_url", "file:///etc/passwd"),
        ("base_url", "https://user:pass@models.example.com/"),
        ("base_url", "https://models.example.com/v1?key=1"),
        ("base_url", "https://models.example.com:25/"),
        ("name", " "),
        ("name", "a\nb"),
        ("key", "two words"),
        ("key", "line\r\nX-Evil: 1"),
        ("api_version", "2024/../"),
        ("dialect", "gopher"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_by_its_field(project, field, value):
    with pytest.raises(ModelSettingError) as caught:
        an_endpoint(project, **{field: value})

    assert caught.value.field == field
    assert not ModelEndpoint.objects.exists()


def test_a_name_is_given_once_in_a_project(project):
    an_endpoint(project)
    an_endpoint(ProjectFactory())

    with pytest.raises(ModelSettingError) as caught:
        an_endpoint(project)

    assert caught.value.field == "name"


def test_an_endpoint_in_use_is_not_deleted(project):
    endpoint = an_endpoint(project)
    a_tier(project, endpoint)

    with pytest.raises(ModelSettingError, match="medium"):
        delete_endpoint(endpoint=endpoint, actor=None)


def test_a_tier_of_one_project_never_uses_anothers_endpoint(project):
    foreign = an_endpoint(ProjectFactory())

    with pytest.raises(ModelSettingError) as caught:
        a_tier(project, foreign)

    assert caught.value.field == "choice"


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"input_microdollars": 1}, "output_price"),
        ({"output_microdollars": 1}, "input_price"),
        ({"input_microdollars": -1, "output_microdollars": 1}, "input_price"),
        ({"deadline_seconds": 0}, "deadline_seconds"),
        ({"deadline_seconds": 9999}, "deadline_seconds"),
        ({"max_output_tokens": 0}, "max_output_tokens"),
    ],
)
def test_a_tiers_value_that_cannot_be_used_is_refused_by_its_field(
    project, values, field
):
    with pytest.raises(ModelSettingError) as caught:
        a_tier(project, an_endpoint(project), **values)

    assert caught.value.field == field


SERVER = ModelSettings(
    base_url="https://server.example.com/v1",
    models={Tier.MEDIUM: "server-medium", Tier.LARGE: "server-large"},
    second="server-second",
)


def test_the_servers_models_are_in_force_until_a_project_says_otherwise(
    settings, project
):
    settings.MODELS = SERVER
    a_tier(project, an_endpoint(project))
    set_tier(
        project=project,
        tier=Tier.LARGE,
        second=False,
        choice=TierModel(endpoint=None),
        actor=None,
    )

    found = models_in_force(project)

    assert {tier: model.model for tier, model in found.items()} == {
        Tier.MEDIUM: "our-model"
    }
    assert found[Tier.MEDIUM].source == "project"
    assert {m.source for m in models_in_force(ProjectFactory()).values()} == {"server"}


def test_a_tier_returned_to_the_server_has_its_model_again(settings, project):
    settings.MODELS = SERVER
    a_tier(project, an_endpoint(project))

    set_tier(project=project, tier=Tier.MEDIUM, second=False, choice=None, actor=None)

    assert models_in_force(project)[Tier.MEDIUM].model == "server-medium"


@pytest.mark.parametrize(
    ("executor", "second", "model"),
    [
        ("small", False, "server-medium"),
        ("", False, "server-medium"),
        ("medium", False, "server-large"),
        ("large", False, "server-large"),
        ("small", True, "server-second"),
    ],
)
def test_each_executor_is_checked_by_the_tier_above(
    settings, project, executor, second, model
):
    settings.MODELS = SERVER

    found = TierModels.of(project).verifiers(executor)[second]

    assert found.model == model


def test_a_small_model_verifies_nobody(settings, project):
    settings.MODELS = ModelSettings(base_url=PUBLIC, models={Tier.SMALL: "tiny"})

    assert TierModels.of(project).verifiers("small") == (None, None)


def test_a_projects_endpoint_is_asked_with_its_own_key_after_one_probe(
    settings, project
):
    with model_server(whatever_is_forced) as server:
        settings.MODELS = permitting(server)
        a_project_model(project, server)
        for _ in range(2):
            model = verifier_for(
                project=project, executor_tier="small", verification_id=uuid4()
            )
            model.ask(ModelRequest(**QUESTION))

    calls = ModelCall.objects.order_by("created_at")
    assert [call.purpose for call in calls] == ["probe", "cross_tier", "cross_tier"]
    assert calls[1].cost_microdollars == 1020
    assert ModelProbe.objects.get().reply_mode == "forced_tool"
    assert len(server.requests) == 3


def test_an_address_the_operator_does_not_allow_is_never_called(settings, project):
    with model_server(whatever_is_forced) as server:
        settings.MODELS = permitting(server)
        a_project_model(project, server)
        settings.MODELS = ModelSettings()
        model = verifier_for(
            project=project, executor_tier="small", verification_id=uuid4()
        )
        with pytest.raises(ModelError) as caught:
            model.ask(ModelRequest(**QUESTION))

    assert caught.value.reason == "blocked"
    assert server.requests == []
    assert {call.charged_tokens for call in ModelCall.objects.all()} == {0}


def test_the_servers_own_private_address_is_not_open_to_projects(settings, project):
    with model_server(whatever_is_forced) as server:
        settings.MODELS = ModelSettings(
            base_url=server.base_url, models={Tier.LARGE: "server-large"}
        )
        with pytest.raises(ModelSettingError) as caught:
            a_project_model(project, server)

    assert caught.value.field == "base_url"


def test_an_endpoint_without_structured_replies_is_not_probed_at_every_call(
    settings, project
):
    with model_server(prose) as server:
        settings.MODELS = permitting(server)
        a_project_model(project, server)
        for _ in range(3):
            model = verifier_for(
                project=project, executor_tier="small", verification_id=uuid4()
            )
            with pytest.raises(ModelError):
                model.ask(ModelRequest(**QUESTION))

    assert ModelCall.objects.filter(purpose="probe").count() == 1
    assert ModelProbe.objects.get().reply_mode == ""


def test_a_key_under_a_lost_secret_asks_to_be_entered_again(settings, project):
    with model_server(whatever_is_forced) as server:
        settings.MODELS = permitting(server)
        a_project_model(project, server)
        settings.SECRET_KEY = "another-secret-key-for-this-test-only"
        model = verifier_for(
            project=project, executor_tier="small", verification_id=uuid4()
        )
        with pytest.raises(ModelError) as caught:
            model.ask(ModelRequest(**QUESTION))

    assert caught.value.reason == "not_configured"
    assert "enter it again" in str(caught.value)
