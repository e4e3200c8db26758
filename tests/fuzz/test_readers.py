"""A small part of `make fuzz`: known inputs, whole and damaged, to every reader."""

import random

import pytest

from tests.fuzz.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("times", [20, pytest.param(1000, marks=pytest.mark.deep)])
def test_a_reader_takes_damaged_input_or_says_what_is_wrong(name, times):
    dice, target = random.Random(f"{name} {times}"), TARGETS[name]
    seeds = list(target.seeds())
    for seed in seeds:
        target.read(seed)
    for _ in range(times):
        target.read(damaged(dice.choice(seeds), dice.choice(seeds), dice))


def damaged(data: bytes, other: bytes, dice: random.Random) -> bytes:
    """Change bytes, cut, repeat, and put pieces of another input in."""
    made = bytearray(data)
    for _ in range(dice.randrange(1, 5)):
        at, end = sorted(dice.randrange(len(made) + 1) for _ in range(2))
        way = dice.randrange(4)
        if way == 0:
            made[at : at + 1] = bytes([dice.randrange(256)])
        elif way == 1:
            del made[at:end]
        elif way == 2:
            made[at:at] = made[at : min(end, at + 200)]
        else:
            start = dice.randrange(len(other) + 1)
            made[at:at] = other[start : start + 100]
    return bytes(made) or b"\x00"
