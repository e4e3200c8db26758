"""Client and server are released apart: what binds them is the words of the wire."""

import dataclasses

from verifyhub.engine import mitigation_results as model
from verifyhub.engine import reports, types
from verifyhub.engine.verdicts import VerificationReport
from verifyhub_client import Advice, Agent, FlaggedName, words


def test_both_sides_know_the_same_schema_and_the_same_words():
    fields = {field.name: field for field in dataclasses.fields(VerificationReport)}

    assert fields["schema"].default == words.VERDICT_SCHEMA
    assert tuple(map(str, reports.Status)) == (words.VERIFIED, words.UNVERIFIED)
    assert set(map(str, words.Judgement)) == set(map(str, reports.Verdict))
    assert set(map(str, words.Action)) == set(map(str, reports.Action))
    assert [*map(str, words.MitigationAction)] == [*map(str, model.MitigationAction)]


def test_both_sides_know_which_names_do_not_count():
    assert set(map(str, reports.NOT_COUNTED)) == words.NOT_COUNTED


def names(kind):
    return [field.name for field in dataclasses.fields(kind)]


def test_an_agent_has_the_fields_the_server_takes():
    assert names(Agent) == names(types.Agent)


def test_what_the_client_shows_has_the_names_of_what_the_server_says():
    assert {*names(FlaggedName)} <= {*names(reports.MentionResult)}
    assert {*names(Advice)} <= {*names(model.Mitigation)}
