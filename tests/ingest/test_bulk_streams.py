"""A stream of any length becomes lines or values, one at a time."""

import contextlib
import gzip
import io
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verifyhub.ingest.formats.bulk import streams
from verifyhub.ingest.formats.bulk.source import Bounds, BrokenStreamError, LineSource
from verifyhub.ingest.formats.bulk.streams import csv_items, raw_items

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
    stream = LineSource(Dribble(json.dumps(items, indent=indent).encode(), chunk))
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

    items = raw_items(LineSource(io.BytesIO(packed), encoding="gzip"))

    assert [json.loads(one.data) for one in items] == [{"a": 1}, {"a": 2}]


@pytest.mark.parametrize("cut", [1, 12, -1])
def test_packed_bytes_that_break_off_are_told_as_such(cut):
    packed = gzip.compress(b'{"a": 1}\n' * 1000)[:cut]

    with pytest.raises(BrokenStreamError):
        list(raw_items(LineSource(io.BytesIO(packed), encoding="gzip")))


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


MEGABYTE = 1024 * 1024


@pytest.mark.parametrize(
    ("hollow", "reader"),
    [
        (b"\n" * 3 * MEGABYTE, raw_items),
        (b'{"a": 1}\n' + b" \n" * 3 * MEGABYTE, raw_items),
        (b" " * 17 * MEGABYTE, raw_items),
        (b"[\n" + b"1,\n" * 3 * MEGABYTE, raw_items),
        (b'[\n"' + b"\\" * 3 * MEGABYTE, raw_items),
    ],
    ids=["newlines", "after a line", "blanks", "numbers", "one text"],
)
def test_a_stream_that_goes_on_without_a_value_is_ended(hollow, reader):
    stream = io.BytesIO(gzip.compress(hollow, 1))

    with pytest.raises(BrokenStreamError, match="1048576 bytes hold no") as caught:
        list(reader(LineSource(stream, encoding="gzip")))

    assert caught.value.status == 422


@pytest.mark.parametrize("reader", [raw_items, csv_items])
def test_each_bound_of_a_stream_ends_it_and_is_named(reader):
    data = gzip.compress(b'{"a": 1}\n' * 9 * MEGABYTE)

    def ended(**bounds):
        source = LineSource(io.BytesIO(data), encoding="gzip", bounds=Bounds(**bounds))
        with pytest.raises(BrokenStreamError) as caught:
            for _ in reader(source):
                pass
        return caught.value.status, str(caught.value)

    assert ended(unpacked=5000) == (
        413,
        "The stream has more than 5000 bytes, unpacked.",
    )
    assert ended(seconds=0)[0] == 408
    assert ended(item_seconds=0) == (
        408,
        "No whole line or value came in 0 seconds.",
    )


def test_what_is_packed_too_well_ends_after_a_while():
    data = gzip.compress(b"[1" + b" " * 66 * MEGABYTE + b"]")
    bounds = Bounds(blank=100 * MEGABYTE)

    with pytest.raises(BrokenStreamError, match="400 times as large") as caught:
        list(csv_items(LineSource(io.BytesIO(data), encoding="gzip", bounds=bounds)))

    assert caught.value.status == 413
