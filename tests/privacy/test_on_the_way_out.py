"""Runs that are stored as sent are masked before models, webhooks and exports."""

import json

import pytest

from tests.builders import an_interaction
from tests.client.secrets import planted
from tests.inference.test_metered_calls import QUESTION, REPLY, a_server, a_verifier
from tests.model_server import model_server, send_json
from tests.stored import verify_stored
from verifyhub.accounts.models import SecretsKept
from verifyhub.engine.ports import ModelRequest
from verifyhub.exports.catalogue import DATASETS
from verifyhub.exports.dataset import DatasetFilters
from verifyhub.exports.stream import stream
from verifyhub.exports.writing import FileFormat

GIVEN, WORD = planted()["environment"]
_, KEY = planted()["github"]


@pytest.fixture(params=[False, True], ids=["masked", "let out"])
def project(request, project):
    project.secrets_kept = SecretsKept.AS_SENT
    project.sends_unmasked = request.param
    project.save()
    return project


def asked(settings, project):
    bodies = []

    def reply(handler, request):
        bodies.append(json.dumps(request))
        send_json(handler, REPLY)

    with model_server(reply) as server:
        a_server(settings, server)
        text = {"answer": f'It says "{GIVEN}"', "trace": f"{KEY} in src/app.py"}
        question = QUESTION | {"user": json.dumps(text)}
        a_verifier(project).ask(ModelRequest(**question))
    (body,) = bodies
    assert json.loads(json.loads(body)["messages"][-1]["content"]).keys() == text.keys()
    return body


def exported(settings, project):
    del settings
    run = an_interaction(f"It is set by `{GIVEN}`.", task=f"{GIVEN} {KEY} src/app.py")
    verify_stored(project, run)
    return "".join(
        piece.decode()
        for dataset in DATASETS.values()
        for piece in stream(
            dataset, FileFormat.JSONL, project=project, filters=DatasetFilters()
        )
    )


@pytest.mark.parametrize("way", [asked, exported])
def test_secrets_leave_only_where_a_lead_says_so(settings, project, way):
    sent = way(settings, project)

    assert "src/app.py" in sent
    assert (KEY in sent) == (WORD in sent) == project.sends_unmasked
    assert ("‹github-token:" in sent or "\\u2039" in sent) != project.sends_unmasked
