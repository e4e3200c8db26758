"""What is decided about labelled runs, beside what their labels say."""

import json

import pytest

from bench.decisions import main

META = {"session": "one", "transcript": "one.jsonl"}


def a_record(name: str, answer: str, output: str, **labels) -> dict[str, object]:
    return {
        "id": name,
        "task": "Look at it.",
        "answer": answer,
        "tool_calls": [{"tool": "Bash", "input": {"command": "ls"}, "output": output}],
        **labels,
    }


@pytest.fixture
def printed(tmp_path, capsys):
    def measured(*records: dict[str, object]) -> str:
        data = tmp_path / "runs.jsonl"
        data.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
        assert main([str(data), "--preset", "balanced", "--errors"]) == 0
        return capsys.readouterr().out

    return measured


def test_a_later_turn_rests_on_the_first_of_its_transcript(printed):
    first = a_record("first", "Done.", "tide_tables.py\n")
    later = a_record("later", "Read `tide_tables.py`.", "moon.py\n")
    placed = {**first, "meta": {**META, "first_turn": True}}
    behind = {**later, "meta": {**META, "first_turn": False}}
    elsewhere = {**behind, "meta": {**behind["meta"], "transcript": "two.jsonl"}}

    # Whichever comes first in the file.
    assert "of 2 honest ones 2 accepted" in printed(behind, placed)
    assert "honest later: retry too_many_unverified" in printed(placed, elsewhere)
    assert "honest later: retry too_many_unverified" in printed(first, later)


def test_what_no_label_speaks_of_is_counted_apart(printed):
    name = {"text": "ghost.py", "label": "verified", "how": "real", "where": "output"}
    answer = "Read `ghost.py` and `moon.py`."
    unsaid = a_record("unsaid", answer, "moon.py\n")
    said = a_record("said", answer, "moon.py\n", mentions=[name])
    apart = "sent back over nothing that a label speaks of: 1"

    assert apart in printed(unsaid)
    assert apart not in printed(said)
