"""`verifyhub import` against a real server, also one that goes away."""

import gzip
import json
from urllib.parse import urlsplit

import pytest

from tests.conftest import API_SECRET
from tests.ingest.runs import a_run
from verifyhub.cli import bulk_import
from verifyhub.cli.main import main
from verifyhub.ingest.models import Bulk, Interaction

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sent(live_server, api_key, monkeypatch, capsys):
    """Import a file; return the exit code, what was printed, and the errors."""
    monkeypatch.setenv("VERIFYHUB_API_KEY", API_SECRET)
    monkeypatch.setattr(bulk_import.time, "sleep", lambda _: None)

    def run(path, *options):
        code = main(["import", str(path), "--to", live_server.url, *options])
        told = capsys.readouterr()
        return code, told.out, told.err

    assert urlsplit(live_server.url).port
    return run


def test_a_file_is_sent_in_pieces_with_progress(sent, tmp_path, monkeypatch):
    monkeypatch.setattr(bulk_import, "CHUNK_LINES", 2)
    path = tmp_path / "runs.jsonl.gz"
    lines = [json.dumps(a_run(id=str(n))) for n in range(5)]
    path.write_bytes(gzip.compress("\n\n".join(lines).encode()))

    code, out, err = sent(path)

    assert code == 0
    assert json.loads(out)["line"] == 9
    assert Interaction.objects.count() == 5
    assert "line 9" in err


def test_the_same_command_goes_on_after_the_last_stored_line(sent, tmp_path):
    path = tmp_path / "runs.jsonl"
    path.write_text(
        "\n".join(json.dumps({"task": "t", "answer": str(n)}) for n in range(4))
    )
    sent(path)
    Bulk.objects.update(line=2)
    Interaction.objects.filter(client_id__endswith=":4").delete()

    code, out, _ = sent(path)

    assert code == 0
    assert [json.loads(out)[k] for k in ("line", "created")] == [4, 5]
    assert Interaction.objects.count() == 4


def test_what_was_refused_is_told_with_its_line(sent, tmp_path):
    path = tmp_path / "runs.json"
    path.write_text(json.dumps([a_run(id="a"), {"task": 5}], indent=1))

    code, _, err = sent(path)

    assert code == 1
    assert "line 2: task" in err


def test_a_session_that_an_agent_wrote_line_by_line_is_one_transcript(sent, tmp_path):
    user = {"type": "user", "sessionId": "s", "uuid": "u1"}
    assistant = {
        "type": "assistant",
        "sessionId": "s",
        "uuid": "u2",
        "parentUuid": "u1",
    }
    said = [{"type": "text", "text": "`dates.py` does."}]
    lines = [
        user | {"message": {"role": "user", "content": "Which module parses dates?"}},
        assistant | {"message": {"role": "assistant", "id": "m", "content": said}},
    ]
    path = tmp_path / "session.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))

    for _ in range(2):
        code, out, err = sent(path)

        assert (code, err) == (0, "")
        told = json.loads(out)
        assert (told["format"], told["remaining"]) == ("claude_code", 0)
    assert Interaction.objects.get().answer == "`dates.py` does."


def test_an_array_of_messages_is_one_transcript(sent, tmp_path):
    path = tmp_path / "messages.json"
    path.write_text(
        json.dumps(
            [
                {"role": "user", "content": "Which module parses dates?"},
                {"role": "assistant", "content": "`dates.py` does."},
            ]
        )
    )

    code, _, _ = sent(path)

    assert code == 0
    assert Interaction.objects.get().task == "Which module parses dates?"


def test_a_server_that_is_away_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("VERIFYHUB_API_KEY", "vh_x")
    monkeypatch.setattr(bulk_import.time, "sleep", lambda _: None)
    path = tmp_path / "runs.jsonl"
    path.write_text("{}")

    code = main(["import", str(path), "--to", "http://127.0.0.1:9"])

    assert code == 3
    assert "does not respond" in capsys.readouterr().err
