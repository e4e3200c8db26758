"""The three levels over the API, with files of the server and schemas of a project."""

import hashlib
import json

import pytest

from tests.factories import ProjectFactory
from tests.ingest.runs import a_call, a_run, an_interaction
from tests.stored import verify_stored
from verifyhub.common import beneath
from verifyhub.ingest.services import record_interaction
from verifyhub.verification import workspace
from verifyhub.verification.models import ToolSchema, Verification
from verifyhub.verification.services import run_due

pytestmark = pytest.mark.django_db
URL = "/api/v1/interactions/"
HASH = hashlib.sha256(b"one").hexdigest()


def a_block(*claims):
    return {"summary": "Wrote it.", "traceRef": "trace:1", "claims": list(claims)}


WROTE = {"type": "file-write", "path": "a.py", "sha256": HASH}


def verified(project, **fields):
    return verify_stored(project, an_interaction(**fields))


def level(verification: Verification, number):
    start = f"level_{number}_"
    checks = verification.report["checks"]
    return next(check for check in checks if check["name"].startswith(start))


@pytest.fixture
def root(tmp_path, settings, project):
    if not beneath.is_supported():
        pytest.skip("this kernel has no openat2")
    settings.WORKSPACE_ROOTS = {project.slug: str(tmp_path)}
    return tmp_path


def test_a_claim_is_checked_in_the_projects_folder(project, root):
    (root / "a.py").write_bytes(b"one")

    check = level(verified(project, structured_output=a_block(WROTE)), 3)

    claim = check["details"]["claims"][0]
    assert check["outcome"] == "passed"
    assert (claim["status"], claim["grade"], claim["source"]) == (
        "ok",
        "A",
        "workspace",
    )


def test_a_false_claim_rejects_and_says_when_to_retry(project, root):
    (root / "a.py").write_bytes(b"two")

    verification = verified(project, structured_output=a_block(WROTE))

    assert (verification.verdict, verification.action) == ("reject", "retry")
    assert verification.report["decision"]["retry_after_seconds"] == 2
    assert level(verification, 3)["reason"] == "hash_mismatch"
    assert level(verification, 3)["details"]["duration_ms"] >= 0


def test_each_answer_of_a_batch_may_look_at_as_many_files(project, root, monkeypatch):
    monkeypatch.setattr(workspace, "MAX_LOOKS", 2)
    (root / "a.py").write_bytes(b"one")
    run = an_interaction(structured_output=a_block(WROTE))
    for _ in range(2):
        record_interaction(project=project, api_key=None, interaction=run)

    run_due(seconds=60)

    rows = Verification.objects.all()
    assert [level(row, 3)["outcome"] for row in rows] == ["passed", "passed"]


def test_a_folder_belongs_to_one_project(project, root):
    (root / "a.py").write_bytes(b"one")
    other = ProjectFactory()

    check = level(verified(other, tool_calls=[], structured_output=a_block(WROTE)), 3)

    assert check["outcome"] == "inconclusive"


def test_an_agent_cannot_ask_what_lies_outside(project, root):
    claims = [
        {"type": "file-delete", "path": "/etc/passwd"},
        {"type": "file-delete", "path": "/etc/nothing-there"},
    ]

    check = level(
        verified(project, tool_calls=[], structured_output=a_block(*claims)), 3
    )

    first, second = check["details"]["claims"]
    assert first["status"] == second["status"] == "unknown"
    assert first["reason"] == second["reason"]


def test_a_registered_tools_output_is_checked(project):
    ToolSchema.objects.create(
        project=project, reference="a/b#C", tool="Read", schema={"type": "object"}
    )

    verification = verified(project)

    assert level(verification, 2)["reason"] == "schema_mismatch"
    assert verification.verdict == "reject"


def test_schemas_of_another_project_check_nothing(project):
    ToolSchema.objects.create(
        project=ProjectFactory(),
        reference="a/b#C",
        tool="Read",
        schema={"type": "object"},
    )

    assert level(verified(project), 2)["outcome"] == "skipped"


def test_a_run_without_an_account_skips_every_level(project):
    verification = verified(project)

    outcomes = [level(verification, number)["outcome"] for number in (1, 2, 3)]
    assert outcomes == ["skipped"] * 3


def test_block_and_manifest_come_back_as_they_were_sent(api):
    manifest = [{"path": "a.py", "sha256": HASH, "anchors": ["x"]}]
    block = a_block(WROTE)
    run = a_run(id="run-1", structured_output=block, manifest=manifest)

    sent = api.post(URL, json.dumps(run), content_type="application/json")

    found = api.get(f"{URL}run-1/").json()
    assert sent.status_code == 202
    assert (found["structured_output"], found["manifest"]) == (block, manifest)


@pytest.mark.parametrize(
    ("manifest", "field"),
    [
        ({}, "manifest"),
        ([7], "manifest[0]"),
        ([{"sha256": HASH}], "manifest[0].path"),
        ([{"path": "a"}], "manifest[0].sha256"),
        ([{"path": "a", "sha256": "x"}], "manifest[0].sha256"),
        ([{"path": "a", "sha256": None, "anchors": [1]}], "manifest[0].anchors[0]"),
        ([{"path": "a", "sha256": None, "size": 1}], "manifest[0].size"),
    ],
)
def test_a_manifest_that_cannot_be_used_is_refused(api, manifest, field):
    run = a_run(manifest=manifest)

    reply = api.post(URL, json.dumps(run), content_type="application/json")

    assert reply.status_code == 400
    assert reply.json()["errors"][0]["field"] == field


def test_a_manifest_is_looked_into(project):
    manifest = [{"path": "a.py", "sha256": HASH}]

    check = level(
        verified(
            project,
            structured_output=a_block(WROTE),
            manifest=manifest,
            tool_calls=[],
        ),
        3,
    )

    (claim,) = check["details"]["claims"]
    assert (claim["source"], claim["grade"]) == ("manifest", "D")
    assert check["outcome"] == "inconclusive"


def test_content_sent_before_these_fields_existed_is_still_the_same(project):
    old = an_interaction(id="run-1", tool_calls=[a_call()])
    row, _ = record_interaction(project=project, api_key=None, interaction=old)

    # The digest over the fields of the first release.
    content = {
        "task": row.task,
        "answer": row.answer,
        "session": None,
        "agent": {"name": "", "tier": "", "role": ""},
        "parent": None,
        "tool_calls": [
            {**a_call(), "id": None, "started_at": None, "duration_ms": None}
        ],
        "self_assessment": None,
        "claims": None,
        "sources": None,
        "metadata": None,
    }
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    assert row.content_sha256 == hashlib.sha256(text.encode()).hexdigest()
