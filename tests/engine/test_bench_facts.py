"""Wrong facts are planted by a seed, and counted where their true form is accepted."""

import json

from bench.facts import main, planted_in

RECORD = {
    "id": "one",
    "task": "Look at the pool.",
    "answer": "The pool keeps 12 open sockets for the workers.",
    "tool_calls": [
        {
            "tool": "Read",
            "input": {"file_path": "pool.ts"},
            "output": "// keeps 12 open sockets for workers\nconst maxRetries = 3;\n",
        }
    ],
}


def test_each_kind_of_fact_is_planted_beside_its_true_form():
    facts = list(planted_in(RECORD, 1))

    assert [(one.kind, one.false) for one in facts[:2]] == [
        ("number", False),
        ("number", True),
    ]
    assert facts[0].answer == RECORD["answer"]
    assert {one.kind for one in facts} >= {"number", "setting", "in words"}
    assert facts == list(planted_in(RECORD, 1))
    assert facts != list(planted_in(RECORD, 2))


def test_what_is_caught_and_accused_is_printed(tmp_path, capsys):
    data = tmp_path / "runs.jsonl"
    data.write_text(json.dumps(RECORD), encoding="utf-8")

    assert main([str(data), "--errors"]) == 0

    lines = capsys.readouterr().out.splitlines()
    settings = next(line.split() for line in lines if line.startswith("setting"))
    assert settings == ["setting", "1", "1.000", "1", "0.000", "fact", "1"]
