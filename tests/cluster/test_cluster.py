"""A small part of `make cluster`: each kind of machine is killed, cut off or lost."""

import random

import pytest

from tests.cluster.__main__ import lacking, main
from tests.cluster.faults import KINDS, schedule


@pytest.mark.deep
@pytest.mark.worker
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("broker", "seed"), [("valkey", "11"), ("rabbitmq", "12")])
def test_what_many_machines_took_in_outlives_each_of_them(broker, seed):
    if reason := lacking(broker):
        pytest.skip(reason)
    given = ["--runs", "300", "--faults", "14", "--pause", "0.5", "--cut", "4", "8"]

    assert main([*given, "--broker", broker, "--seed", seed]) == 0


def test_a_schedule_meets_each_kind_of_machine_before_one_comes_again():
    drawn = [fault.split()[1] for fault in schedule(len(KINDS), random.Random(1))]

    assert sorted(drawn) == sorted(KINDS)
