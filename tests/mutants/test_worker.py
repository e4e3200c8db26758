"""Functions that others have imported already get their changed code."""

from pathlib import Path

import pytest

from tests.mutants.worker import recode

SOURCE = "def size(x):\n    return [y + 1 for y in x]\n\nLIMIT = 1\n"


def test_a_function_does_what_the_changed_source_says(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    module: dict[str, object] = {}
    exec(compile(SOURCE, str(file), "exec"), module)  # noqa: S102
    imported_elsewhere = module["size"]

    recode(file, SOURCE.replace("+", "-"))

    assert imported_elsewhere([3]) == [2]  # type: ignore[operator]


def test_a_change_outside_functions_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    module: dict[str, object] = {}
    exec(compile(SOURCE, str(file), "exec"), module)  # noqa: S102

    with pytest.raises(LookupError, match="no function"):
        recode(file, SOURCE.replace("LIMIT = 1", "LIMIT = 2"))
