"""The benchmark of values counts what it says it counts."""

import json

from bench.values import report, score

CALL = {"tool": "get_jar", "input": {}, "output": '{"jar_id": "JR-77", "price": 9.5}'}


def test_found_accused_and_reported_are_counted_by_overlap(tmp_path):
    answer = "Jar JR-77 costs $9.50, not $8.25. Colour unknown."
    values = [
        {"text": "JR-77", "spans": [[4, 9]], "label": "supported"},
        {"text": "$9.50", "spans": [[16, 21]], "label": "supported"},
        {"text": "$8.25", "spans": [[27, 32]], "label": "unsupported"},
        {"text": "unknown", "spans": [[41, 48]], "label": "supported"},
    ]
    record = {
        "id": "a",
        "task": "How much?",
        "answer": answer,
        "tool_calls": [CALL],
        "values": [{**one, "kind": "any", "case": "plain"} for one in values],
        "meta": {"domain": "pantry"},
    }
    data = tmp_path / "values.jsonl"
    data.write_text(json.dumps(record) + "\n")

    figures = report(list(score(data)))

    whole = figures["values"]["all"]
    assert (whole["found"], whole["accused"], whole["reported"]) == (1.0, 0.0, 0.75)
    assert list(figures["by domain"]) == ["pantry"]
