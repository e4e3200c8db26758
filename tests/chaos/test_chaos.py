"""A small part of `make chaos`: one system, and every fault that this machine can."""

import random

import pytest

from tests.chaos.__main__ import main
from tests.chaos.faults import SHARES, schedule


@pytest.mark.deep
@pytest.mark.worker
@pytest.mark.timeout(600)
@pytest.mark.parametrize("database", ["bundled", "apart"])
def test_runs_that_meet_every_fault_are_neither_lost_nor_doubled(database):
    given = ["--runs", "200", "--kills", "12", "--pause", "0.5", "--seed", "11"]

    assert main([*given, "--database", database]) == 0


def test_what_cannot_be_done_here_is_not_in_the_schedule():
    drawn = schedule(500, random.Random(1), without=["clock"])

    assert {kind: drawn.count(kind) for kind in SHARES} == {**SHARES, "clock": 0}
