"""Whatever an agent sends, the levels answer and never raise."""

import contextlib
import json

from hypothesis import example, given
from hypothesis import strategies as st

from tests.builders import a_tool_call
from tests.engine.levels.builders import a_block, level, report_of
from verifyhub.engine.errors import ToolSchemaError
from verifyhub.engine.levels.claims import ClaimType
from verifyhub.engine.levels.run import LevelInputs
from verifyhub.engine.levels.schema import LevelSchema
from verifyhub.engine.levels.schema_rules import check_schema
from verifyhub.engine.reports import Outcome

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=10), inner, max_size=4)
    ),
    max_leaves=10,
)
PATHS = st.sampled_from(["a.py", "./a.py", "/r/a.py", "b/../a.py", "", "~", "\x00"])
CLAIMS = st.fixed_dictionaries(
    {"type": st.sampled_from(list(ClaimType)) | JSON},
    optional={
        "path": PATHS | JSON,
        "sha256": st.just("0" * 64) | JSON,
        "before": JSON,
        "after": JSON,
        "anchor": JSON,
        "command": JSON,
    },
)
CALLS = st.builds(
    a_tool_call,
    st.sampled_from(["Write", "Edit", "delete_file", "Bash", "apply_patch", "x"]),
    st.dictionaries(
        st.sampled_from(["file_path", "content", "old_string", "edits", "command"]),
        PATHS | JSON | st.lists(st.just({"old_string": "a", "new_string": "b"})),
    ),
    st.text(max_size=20),
)


@given(JSON | st.builds(a_block, CLAIMS, CLAIMS), st.lists(CALLS, max_size=5))
def test_any_block_gets_an_answer(block, calls):
    report = report_of(*calls, block=block)

    first = level(report, 1).outcome
    assert (first is Outcome.SKIPPED) == (block is None)
    assert report.as_dict()["checks"][2]["name"] == "level_3_filesystem"


@example([{"type": "file-delete", "path": "a.py", "sha256": [None]}], [])
@given(st.lists(CLAIMS | JSON, max_size=4), st.lists(CALLS, max_size=5))
def test_any_list_of_claims_gets_an_answer(claims, calls):
    report = report_of(*calls, claims=claims)

    assert level(report, 2).outcome is Outcome.SKIPPED


@given(JSON)
def test_any_schema_is_taken_or_refused_with_a_place(schema):
    with contextlib.suppress(ToolSchemaError):
        check_schema(schema)

        assert isinstance(schema, dict)


@given(JSON, st.text(max_size=40) | JSON.map(json.dumps))
def test_any_output_gets_an_answer(enum, output):
    schema = {"properties": {"a": {"enum": [enum]}}, "uniqueItems": True}
    inputs = LevelInputs(
        schemas=[LevelSchema(reference="a/b#C", tool="rag", schema=schema)]
    )

    report = report_of(a_tool_call("rag", {}, output), inputs=inputs)

    assert level(report, 2).outcome in {Outcome.PASSED, Outcome.FAILED}
