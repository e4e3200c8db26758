"""Claims that come packed are checked like claims that come plain."""

import base64
import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import an_interaction, verify
from tests.engine.levels.builders import a_write, sha256
from verifyhub.engine.levels.structure import MAX_UNPACKED
from verifyhub.engine.reports import Outcome

CLAIMS = [
    {"type": "file-write", "path": "a.py", "sha256": sha256("x = 1\n")},
    {"type": "code-inserted", "path": "a.py", "anchor": "x = 1"},
]


def checked(claims):
    block = {"summary": "Done.", "traceRef": "trace:1", "claims": claims}
    run = an_interaction("Done.", a_write("a.py", "x = 1\n"), structured_output=block)
    return verify(run).as_dict()["checks"]


def packed_bytes(data):
    return {"encoding": "gzip+base64", "data": base64.b64encode(data).decode()}


def pack_claims(claims):
    return packed_bytes(gzip.compress(json.dumps(claims).encode()))


def test_packed_claims_are_judged_like_plain_ones():
    assert checked(pack_claims(CLAIMS)) == checked(CLAIMS)


def test_a_false_claim_is_found_in_a_packed_list():
    false = [{**CLAIMS[0], "sha256": "0" * 64}]

    level = checked(pack_claims(false))[2]

    assert level["reason"] == "hash_mismatch"
    assert level["details"]["errors"][0]["path"] == "structured_output.claims[0]"


def test_packing_many_edits_saves_most_of_them():
    line = "    return {name: value for name, value in pairs if value is not None}\n"
    claims = [
        {"type": "file-edit", "path": f"src/{n}.py", "before": line, "after": line * 2}
        for n in range(200)
    ]

    assert len(json.dumps(pack_claims(claims))) < len(json.dumps(claims)) / 10


@pytest.mark.parametrize(
    "packed",
    [
        {},
        {"encoding": "zip", "data": ""},
        {"encoding": "gzip+base64"},
        {"encoding": "gzip+base64", "data": 7},
        {"encoding": "gzip+base64", "data": "***"},
        packed_bytes(b""),
        packed_bytes(b"no gzip"),
        packed_bytes(gzip.compress(b"[]")[:-9]),
        packed_bytes(gzip.compress(b"{}")),
        packed_bytes(gzip.compress(b"[")),
        packed_bytes(gzip.compress(b"[NaN]")),
        packed_bytes(gzip.compress(b"\xff")),
        packed_bytes(gzip.compress(b"[" * 100_000)),
        packed_bytes(gzip.compress(b" " * (MAX_UNPACKED + 1))),
    ],
)
def test_what_cannot_be_unpacked_fails_level_1(packed):
    structure = checked(packed)[0]

    assert structure["outcome"] == Outcome.FAILED
    assert structure["details"]["errors"][0]["path"] == "structured_output.claims"


@given(
    st.dictionaries(st.sampled_from(["encoding", "data", "x"]), st.text() | st.none())
)
def test_no_packing_raises(packed):
    assert checked(packed)[0]["outcome"] == Outcome.FAILED
