"""Other people's URLs before a name server of theirs, live (`rebinding`)."""

import json
import subprocess
import sys

import pytest

from tests.egress.rebinding import NAMES, PUBLIC, SPELT
from verifyhub.cli.home import CHECKOUT

ALONE = ["unshare", "--user", "--map-root-user", "--net", "--mount"]
DOORS = ("webhook", "model", "embedding")
LEADS_OUT = {name for name, answers in NAMES.items() if answers[0] == [PUBLIC]}


def may_have_a_network() -> bool:
    try:
        tried = subprocess.run([*ALONE, "ip", "link"], capture_output=True)
    except FileNotFoundError:
        return False
    return tried.returncode == 0


@pytest.mark.skipif(
    not may_have_a_network(), reason="needs Linux namespaces, for a network of its own"
)
def test_no_url_reaches_an_address_inside_however_its_name_answers():
    ran = subprocess.run(
        [*ALONE, sys.executable, "-m", "tests.egress.rebinding"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
    )

    assert ran.returncode == 0, ran.stderr
    reached = json.loads(ran.stdout)
    assert len(reached) == 3 * (2 * len(NAMES) + 1 + len(SPELT))
    inside = {url: hits for url, hits in reached.items() if set(hits) - {PUBLIC}}
    assert inside == {}
    # It was no wall: what the name server calls public is reached, once and for all.
    out = {url for url, hits in reached.items() if hits}
    assert out >= {f"{door} {name}" for name in LEADS_OUT for door in DOORS}
    assert {url.split()[1].rstrip(".") for url in out} == LEADS_OUT
