"""The demo loads once, really runs, and counts its catch truly."""

import io

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import transaction
from django.test import override_settings

from tests.factories import ProjectFactory, UserFactory
from verifyhub.accounts.models import Membership, Role, User
from verifyhub.demo.catch import count_catch
from verifyhub.demo.load import load_demo
from verifyhub.demo.script import TURNS
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.engine.llm.configure import ModelSettings
from verifyhub.inference.selectors import models_in_force
from verifyhub.ingest.models import Interaction, ToolCall
from verifyhub.memory.models import Constraint
from verifyhub.review.models import ReviewItem
from verifyhub.verification.models import MentionVerdict, Verification

PACKAGES = ("accounts", "audit", "ingest", "memory", "review", "verification")


pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("home")
    with override_settings(HOME=folder):
        yield folder


@pytest.fixture(scope="module")
def loaded(home, django_db_setup, django_db_blocker):
    """The demo, loaded once for this file; what a test changes is rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield load_demo()
        transaction.set_rollback(True)


def row_counts():
    return {
        model._meta.label: model._default_manager.count()
        for package in PACKAGES
        for model in apps.get_app_config(package).get_models()
    }


def test_every_turn_is_stored_and_verified(loaded):
    finished = Verification.objects.filter(state="finished")

    assert finished.count() == Interaction.objects.count() == len(TURNS)


def test_the_demo_calls_none_of_the_servers_models(loaded):
    server = ModelSettings(
        base_url="https://models.example.com/v1",
        models=dict.fromkeys(Tier, "a-model"),
        second="another",
    )
    with override_settings(MODELS=server):
        assert models_in_force(loaded.project) == {}
        assert models_in_force(ProjectFactory()) != {}


def test_loading_again_changes_nothing(loaded):
    before = row_counts()

    again = load_demo()

    assert again.runs == 0
    assert row_counts() == before


def test_a_half_loaded_demo_is_completed(loaded):
    Interaction.objects.get(client_id="demo-24").delete()

    assert load_demo().runs == 1


def test_the_stored_tool_calls_really_ran(loaded, home):
    call = ToolCall.objects.get(interaction__client_id="demo-05", index=1)

    assert call.input == {"command": "python -m unittest"}
    assert f'File "{home}/demo/tidepool/tests/test_harmonics.py"' in call.output
    assert "FAILED (failures=1)" in call.output
    assert call.duration_ms > 0
    assert call.started_at is not None


def test_the_catch_is_what_the_stored_mentions_say(loaded):
    catch = count_catch(loaded.project)

    recurring = MentionVerdict.objects.filter(
        status="unverified", reason="not_found", key="tidepool/cache.py"
    )
    assert recurring.count() == 3
    assert catch.planted["invented_file"] == 5
    assert (
        catch.flagged["invented_file"]
        == MentionVerdict.objects.filter(
            status="unverified", reason="not_found", kind="file"
        ).count()
    )
    assert len(catch.missed) + sum(
        catch.flagged[kind] for kind in ("invented_file", *FAULTS)
    ) == sum(catch.planted[kind] for kind in ("invented_file", *FAULTS))


FAULTS = (
    "wrong_folder",
    "wrong_extension",
    "invented_function",
    "invented_class",
    "invented_package",
    "invented_variable",
    "look_alike",
    "tests_pass_after_failure",
    "tests_pass_never_run",
)


def test_a_report_that_flags_nothing_catches_nothing(loaded):
    for verification in Verification.objects.all():
        verification.report["mentions"] = verification.report["completion_claims"] = []
        verification.save()

    catch = count_catch(loaded.project)

    assert sum(catch.flagged.values()) == catch.other_flagged == 0
    assert len(catch.missed) == 23


def test_most_faults_are_caught_and_few_honest_places_flagged(loaded):
    catch = count_catch(loaded.project)

    assert len(catch.missed) <= 2
    assert len(catch.alarms) <= 1


def test_a_name_that_recurs_becomes_a_constraint(loaded):
    active = Constraint.objects.filter(project=loaded.project, state="active")

    assert "tidepool/cache.py" in active.values_list("mention_key", flat=True)


def test_the_named_admin_sees_the_demo(loaded):
    user = UserFactory(username="root")

    load_demo(admin="root")

    assert Membership.objects.get(user=user).role == Role.ADMIN


def test_without_an_admin_a_password_is_shown_once(loaded):
    assert User.objects.get(username="demo-admin").check_password(loaded.password)
    assert load_demo().password == ""


def test_reviewers_without_a_password_cannot_sign_in(loaded):
    assert not User.objects.get(username="demo-ana").has_usable_password()


def test_the_command_prints_the_catch(loaded):
    output = io.StringIO()

    call_command("load_demo", stdout=output)

    text = output.getvalue()
    assert "24 answers, 13 with a planted fault" in text
    assert "    invented file             5 of 5" in text
    assert "    tests pass after failure  2 of 2" in text


def test_reviewers_decide_about_some_and_leave_the_rest(loaded):
    items = ReviewItem.objects.filter(project=loaded.project)

    assert loaded.decisions == items.exclude(state="open").count() > 0
    assert items.filter(state="open").exists()
    assert set(items.exclude(state="open").values_list("state", flat=True)) == {
        "confirmed",
        "overridden",
    }
