"""A field of an interaction is described once: in the type that is read."""

import json
import os
import subprocess
import sys

import pytest
from django.db import connection

from tests.architecture.tree import CHECKOUT

NEW_FIELD = (
    "    weather: Annotated[Label | None, Field(description='The sky.')] = None\n"
)
# Runs with one line more in the contract, and looks at all that follows from it.
SCRIPT = f"""
import json, sys
from importlib.util import find_spec, module_from_spec
from pathlib import Path

spec = find_spec("verifyhub.engine.types")
source = Path(spec.origin).read_text()
before, after = source.split("class MentionKind(StrEnum):")
before = before.rstrip() + "\\n" + {NEW_FIELD!r}
types = sys.modules[spec.name] = module_from_spec(spec)
exec(compile(before + "\\n\\nclass MentionKind(StrEnum):" + after, "types", "exec"),
     vars(types))

import django
django.setup()
from verifyhub.accounts.models import Project
from verifyhub.ingest.formats.native import (
    FormatError, as_native, parse_interaction, without_unknown)
from verifyhub.ingest.selectors import find_interaction, to_engine
from verifyhub.ingest.services import record_interaction
from verifyhub.verification.api.schemas import components

run = parse_interaction({{"id": "r", "task": "t", "answer": "a", "weather": "rain"}})
try:
    parse_interaction({{"task": "t", "answer": "a", "weather": 7}})
except FormatError as error:
    refused = str(error)
project = Project.objects.create(name="Acme", slug="acme-contract")
record_interaction(project=project, api_key=None, interaction=run)
print(json.dumps({{
    "refused": refused,
    "written": as_native(run)["weather"],
    "known": without_unknown({{"weather": "rain"}})[1],
    "stored": to_engine(find_interaction(project, "r")).weather,
    "request": components()["InteractionRequest"]["properties"]["weather"],
    "reply": "weather" in components()["InteractionDetail"]["required"],
}}))
"""


@pytest.mark.django_db(transaction=True)
def test_a_new_field_of_an_interaction_is_one_line():
    server = os.environ["DATABASE_URL"].rsplit("/", 1)[0]
    environment = {
        **os.environ,
        "DATABASE_URL": f"{server}/{connection.settings_dict['NAME']}",
        "DJANGO_SETTINGS_MODULE": "verifyhub.config.settings_test",
    }

    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=CHECKOUT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "refused": "weather: must be a string.",
        "written": "rain",
        "known": [],
        "stored": "rain",
        "request": {
            "description": "The sky.",
            "maxLength": 50,
            "type": ["string", "null"],
        },
        "reply": True,
    }
