import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.common.strict_json import StrictJSONError, loads

LIMIT = 1024 * 1024


def refusal(data: bytes, **limits: int) -> StrictJSONError:
    with pytest.raises(StrictJSONError) as caught:
        loads(data, **{"max_bytes": LIMIT, **limits})
    return caught.value


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


json_text = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=["\x00"])
)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**18), 10**18)
    | st.floats(allow_nan=False, allow_infinity=False)
    | json_text,
    lambda inner: st.lists(inner) | st.dictionaries(json_text, inner),
    max_leaves=20,
)


@given(json_values, st.booleans())
def test_ordinary_json_comes_through_unchanged(value, ensure_ascii):
    text = json.dumps(value, ensure_ascii=ensure_ascii)

    assert loads(text.encode(), max_bytes=LIMIT) == value


@given(st.binary(max_size=200))
def test_any_bytes_give_a_value_or_a_refusal(data):
    try:
        value = loads(data, max_bytes=LIMIT)
    except StrictJSONError:
        return
    assert json.loads(data) == value


@pytest.mark.parametrize(
    "data",
    [
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b'{"a": -Infinity}',
        b'{"a": 1e999}',
        b'{"a": -1e999}',
        b'{"a": ' + b"9" * 31 + b"}",
        b'{"a": ' + b"9" * 5000 + b"}",
        b'{"a": 0.' + b"1" * 40 + b"}",
        b'{"a": "x\\u0000y"}',
        b'{"a": "\\ud800"}',
        b'{"a": "\\udc00\\ud800"}',
        b'{"a": {"b": 1, "b": 1}}',
        b'{"a": {"\\u0000": 1}}',
        b'{"a": {"\\ud83d": 1}}',
    ],
)
def test_what_postgresql_or_another_parser_would_read_differently_is_refused(data):
    assert refusal(data).path == "a"


def test_what_a_tool_printed_is_mended_where_that_is_asked():
    data = (
        b'{"answer": "a\\u0000", "tool_calls": [{"tool": "cat",'
        b' "input": {"id": "\\u0000"}, "output": "x\\u0000y\\ud800 \\ud83d\\ude00"}],'
        b' "notes": ["\\udc00", "z"]}'
    )

    assert loads(data, max_bytes=1000, mends_texts=True) == {
        "answer": "a\ufffd",
        "tool_calls": [
            {
                "tool": "cat",
                "input": {"id": "\ufffd"},
                "output": "x\ufffdy\ufffd \U0001f600",
            }
        ],
        "notes": ["\ufffd", "z"],
    }


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (b'{"id": "a\\u0000"}', "id"),
        (b'{"session_id": "a\\ud800"}', "session_id"),
        (b'{"toolUseId": "a\\u0000"}', "toolUseId"),
        (b'{"agent": {"name": "\\u0000"}}', "agent.name"),
        (b'{"ids": ["a", "\\u0000"]}', "ids[1]"),
        (b'{"output": {"\\u0000": 1}}', "output"),
        (b'{"output": NaN, "answer": "\\u0000"}', "output"),
    ],
)
def test_names_and_keys_are_never_mended(data, path):
    with pytest.raises(StrictJSONError) as caught:
        loads(data, max_bytes=1000, mends_texts=True)

    assert caught.value.path == path


def test_the_refusal_names_the_path_of_the_value():
    data = b'{"tool_calls": [{}, {"input": {"lines": [1, NaN]}}]}'

    assert refusal(data).path == "tool_calls[1].input.lines[1]"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"   ",
        b"{",
        b"[1,]",
        b"{'a': 1}",
        b'"open',
        b'"line\nbreak"',
        b'"raw\x00nul"',
        b"[1] [2]",
        b"// no\n[]",
        b"tru",
        b"+1",
        b"01",
        b".5",
        b"\xff\xfe{\x00}\x00",
        "{}".encode("utf-16-le"),
        "{}".encode("utf-32-be"),
        b"\xef\xbb\xbf{}",
        b'"\xff"',
        b'"\xc0\x80"',
        b'"\xed\xa0\x80"',
    ],
)
def test_what_is_not_utf8_json_is_refused(data):
    assert refusal(data).message


def test_broken_json_is_located_by_line_and_column():
    error = refusal(b'{\n  "a" 1}')

    assert (error.line, error.column) == (2, 7)


def test_invalid_utf8_is_located_by_line_and_column():
    error = refusal(b'{\n"\xff"}')

    assert (error.line, error.column) == (2, 2)


@pytest.mark.parametrize("depth", [63, 64])
def test_nesting_up_to_the_limit_is_taken(depth):
    assert loads(nested(depth), max_bytes=LIMIT)


@pytest.mark.parametrize("depth", [65, 950, 970, 100_000])
def test_deeper_nesting_is_refused(depth):
    assert "64 levels" in refusal(nested(depth)).message


def test_brackets_and_commas_inside_strings_do_not_count():
    text = json.dumps(['[{,\\"' * 1000])

    assert loads(text.encode(), max_bytes=LIMIT, max_nodes=2, max_depth=1)


def test_more_values_than_allowed_are_refused():
    assert "5 values" in refusal(b"[1,2,3,4,5,6]", max_nodes=5).message


def test_size_is_refused_before_anything_is_read():
    assert refusal(b"\xff" * 11, max_bytes=10).too_large


def test_a_long_key_is_not_copied_into_every_path():
    key = "k" * 500_000
    data = json.dumps({key: [1] * 10_000 + ["\x00"]}).encode()

    assert len(refusal(data).path or "") < 200
