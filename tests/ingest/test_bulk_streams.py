"""A stream of any length becomes lines or values, one at a time."""

import contextlib
import gzip
import io
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verifyhub.ingest.formats.bulk import streams
from verifyhub.ingest.formats.bulk.streams import (
    BrokenStreamError,
    csv_items,
    raw_items,
    unpacked,
)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
values = st.dictionaries(
    texts,
    st.recursive(
        st.integers() | texts | st.just('"\\[{]}'),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3)
        ),
        max_leaves=6,
    ),
    max_size=3,
)


def read(data: bytes, **limits) -> list:
    return [json.loads(item.data) for item in raw_items(io.BytesIO(data), **limits)]


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(values, min_size=1), st.sampled_from([None, 2]), st.integers(1, 9))
def test_an_array_gives_its_objects_however_it_is_laid_out(items, indent, chunk):
    stream = Dribble(json.dumps(items, indent=indent).encode(), chunk)
    head = stream.readline(1 << 20)

    found = [json.loads(one.data) for one in streams._values(stream, head, 1 << 20)]

    assert found == items


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(values, min_size=1))
def test_lines_give_the_same(items):
    data = b"\n".join(json.dumps(item).encode() for item in items)

    assert read(data) == items
    assert read(b"\n\n" + data + b"\n") == items


class Dribble(io.BytesIO):
    """A stream of which few bytes come at a time."""

    def __init__(self, data: bytes, most: int) -> None:
        super().__init__(data)
        self._most = most

    def read(self, size=-1):
        return super().read(self._most)


def test_an_object_over_several_lines_is_one_value():
    assert read(b'{\n  "a": 1\n}\n{\n  "b": 2\n}') == [{"a": 1}, {"b": 2}]


def test_blank_lines_count_as_lines():
    found = list(raw_items(io.BytesIO(b'{"a":1}\n\n{"b":2}\n')))

    assert [one.number for one in found] == [1, 3]


def test_a_line_that_is_too_long_loses_no_other():
    data = b'{"a": 1}\n' + b"[" + b"1," * 100 + b"1]\n" + b'{"b": 2}\n'

    found = list(raw_items(io.BytesIO(data), max_line=50))

    assert [bool(one.problem) for one in found] == [False, True, False]
    assert found[2].number == 3
    assert sum(one.size for one in found) == len(data)


def test_gzip_is_read_as_it_comes_also_of_several_members():
    packed = gzip.compress(b'{"a": 1}\n') + gzip.compress(b'{"a": 2}\n')

    items = raw_items(unpacked(io.BytesIO(packed), "gzip"))

    assert [json.loads(one.data) for one in items] == [{"a": 1}, {"a": 2}]


@pytest.mark.parametrize("cut", [1, 12, -1])
def test_packed_bytes_that_break_off_are_told_as_such(cut):
    packed = gzip.compress(b'{"a": 1}\n' * 1000)[:cut]

    with pytest.raises(BrokenStreamError):
        list(raw_items(unpacked(io.BytesIO(packed), "gzip")))


def test_an_array_that_breaks_off_is_told_as_such():
    with pytest.raises(BrokenStreamError):
        list(raw_items(io.BytesIO(b'[\n{"a": 1}, {"b": ')))


def test_rows_of_csv_hold_the_json_of_their_cells():
    data = b'\xef\xbb\xbfid,input,note\r\n1,"{""a"": [1]}","{broken\nover"\r\n2,,\r\n'

    found = [one.value for one in csv_items(io.BytesIO(data))]

    assert found == [
        {"id": "1", "input": {"a": [1]}, "note": "{broken\nover"},
        {"id": "2"},
    ]


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data):
    for read_stream in (raw_items, csv_items):
        with contextlib.suppress(BrokenStreamError):
            list(read_stream(io.BytesIO(data)))
