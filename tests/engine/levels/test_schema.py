import json

import pytest

from tests.builders import a_tool_call
from tests.engine.levels.builders import level, report_of
from verifyhub.engine.errors import ToolSchemaError
from verifyhub.engine.levels.run import LevelInputs
from verifyhub.engine.levels.schema import LevelSchema
from verifyhub.engine.levels.schema_rules import check_schema
from verifyhub.engine.reports import Outcome, Verdict
from verifyhub.engine.types import CallStatus

RESULT = {
    "type": "object",
    "required": ["documents"],
    "properties": {"documents": {"type": "array", "items": {"$ref": "acme/s#Doc"}}},
}
DOC = {
    "$ref": "#/$defs/doc",
    "$defs": {"doc": {"type": "object", "required": ["id"]}},
}


def registered(schema, *others):
    own = LevelSchema(reference="acme/s#Result", tool="rag", schema=schema)
    schemas = [own, *(LevelSchema(reference=r, tool="", schema=s) for r, s in others)]
    for each in schemas:
        check_schema(each.schema)
    return LevelInputs(schemas=schemas)


def checked(output, schema=RESULT, *others, status=CallStatus.OK):
    text = output if isinstance(output, str) else json.dumps(output)
    call = a_tool_call("rag", {}, text, status=status)
    inputs = registered(schema, *(others or [("acme/s#Doc", DOC)]))
    report = report_of(call, inputs=inputs)
    return report, level(report, 2)


def test_an_output_that_fits_passes():
    _, check = checked({"documents": [{"id": 1}]})

    assert check.outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("output", "path"),
    [
        ({}, "tool_calls[0].output"),
        ({"documents": [{"id": 1}, {}]}, "tool_calls[0].output.documents[1]"),
        ("no json", "tool_calls[0].output"),
        ('{"documents": NaN}', "tool_calls[0].output"),
    ],
)
def test_an_output_that_does_not_fit_rejects_and_names_the_place(output, path):
    report, check = checked(output)

    error = check.details["errors"][0]
    assert (error["path"], error["category"]) == (path, "schema_mismatch")
    assert report.verdict is Verdict.REJECT


@pytest.mark.parametrize("status", [CallStatus.ERROR, CallStatus.REFUSED])
def test_what_a_failed_call_said_is_not_checked(status):
    _, check = checked("boom", status=status)

    assert check.reason == "no_registered_tool_called"


def test_other_tools_are_not_checked():
    inputs = registered({"type": "object"})

    report = report_of(a_tool_call("other", {}, "text"), inputs=inputs)

    assert level(report, 2).outcome is Outcome.SKIPPED


def test_a_reference_to_no_registered_schema_settles_nothing():
    _, check = checked({"documents": []}, RESULT, ("acme/s#Other", {}))

    assert check.outcome is Outcome.INCONCLUSIVE
    assert check.details["outputs"][0]["reason"] == "schema_incomplete"


def test_an_agents_text_stands_in_no_message():
    _, check = checked({"documents": [{"secret-text": 1}]})

    assert "secret-text" not in json.dumps(check.as_dict())


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ([], ""),
        ({"type": "objekt"}, "type"),
        ({"properties": {"a": {"minimum": "1"}}}, "properties.a.minimum"),
        ({"$ref": "https://evil.example/schema#Name"}, "$ref"),
        ({"$ref": "file:///etc/passwd"}, "$ref"),
        ({"$ref": "//evil.example/a#B"}, "$ref"),
        ({"$id": "https://evil.example/"}, "$id"),
        ({"$dynamicRef": "#x"}, "$dynamicRef"),
        ({"unevaluatedProperties": False}, "unevaluatedProperties"),
        ({"propertes": {}}, "propertes"),
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, "$schema"),
        ({"items": {"pattern": "(a)\\1"}}, "items.pattern"),
        ({"items": {"pattern": "a(?=b)"}}, "items.pattern"),
        ({"patternProperties": {"(": {}}}, "patternProperties"),
        ({"pattern": "a" * 501}, "pattern"),
        ({"description": "x" * 70_000}, ""),
        ({"allOf": [7]}, "allOf[0]"),
    ],
)
def test_a_schema_that_asks_for_too_much_is_refused(schema, path):
    with pytest.raises(ToolSchemaError) as caught:
        check_schema(schema)

    assert caught.value.path == path


def test_a_deep_schema_is_refused():
    schema = {}
    for _ in range(100):
        schema = {"items": schema}

    with pytest.raises(ToolSchemaError):
        check_schema(schema)


def bomb():
    """Each schema asks for the next one twice: 2^30 checks."""
    steps = [
        (f"acme/s#S{n}", {"allOf": [{"$ref": f"acme/s#S{n + 1}"}] * 2})
        for n in range(30)
    ]
    return [*steps, ("acme/s#S30", {"type": "object"})]


@pytest.mark.parametrize(
    ("schema", "others", "output"),
    [
        ({"$ref": "#"}, [], {}),
        ({"$ref": "acme/s#S0"}, bomb(), {}),
        ({"anyOf": [{"const": n} for n in range(2000)]}, [], ["x" * 50_000]),
        ({"items": {"enum": list(range(5000))}}, [], [4999] * 5000),
    ],
)
def test_a_schema_that_never_ends_is_ended(schema, others, output):
    _, check = checked(output, schema, *(others or [("acme/s#None", {})]))

    assert check.outcome is Outcome.INCONCLUSIVE
    assert check.details["outputs"][0]["reason"] == "too_much_work"


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"pattern": "^(a+)+$"}, "a", "a" * 50_000 + "b"),
        ({"items": {"pattern": "^é$"}}, ["é"], ["e"]),
        (
            {"patternProperties": {"^n_": {"type": "number"}}},
            {"n_a": 1, "a": "x"},
            {"n_a": "x"},
        ),
        (
            {
                "properties": {"a": {}},
                "patternProperties": {"^n_": {}},
                "additionalProperties": False,
            },
            {"a": 1, "n_a": 1},
            {"b": 1},
        ),
        ({"additionalProperties": {"type": "null"}}, {"a": None}, {"a": 1}),
        ({"uniqueItems": True}, [1, True, "1", [1]], [1, 1.0]),
        ({"multipleOf": 2}, 4, 5),
        ({"oneOf": [{"type": "null"}, {"type": "array"}]}, [], {}),
    ],
)
def test_keywords_mean_what_the_standard_says(schema, good, bad):
    fits = checked(json.dumps(good), schema)[1]
    fails = checked(json.dumps(bad), schema)[1]

    assert (fits.outcome, fails.outcome) == (Outcome.PASSED, Outcome.FAILED)


@pytest.mark.parametrize("output", ["[" * 100_000, '{"a":' * 70, "x" * 1_100_000])
def test_hostile_outputs_are_answered(output):
    _, check = checked(output, {"type": "object"})

    assert check.outcome in {Outcome.FAILED, Outcome.INCONCLUSIVE}
