from importlib import import_module

import pytest

from tests.architecture.tree import CHECKOUT
from verifyhub.common.retention import RETENTIONS
from verifyhub.common.steps import Steps


def owned_lists() -> list[tuple[str, Steps]]:
    modules = [
        import_module(".".join(file.relative_to(CHECKOUT).with_suffix("").parts))
        for file in (CHECKOUT / "verifyhub").glob("*/steps.py")
    ]
    return [
        (name, value)
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, Steps)
    ] + [("RETENTIONS", RETENTIONS)]


def test_every_list_of_steps_is_assembled():
    empty = [name for name, steps in owned_lists() if not list(steps)]

    assert owned_lists()
    assert not empty


def test_a_list_that_is_left_out_is_no_empty_one():
    with pytest.raises(LookupError, match=r"config\.steps"):
        list(Steps())
