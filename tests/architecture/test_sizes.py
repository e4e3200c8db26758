import ast

import pytest

from tests.architecture.tree import CHECKOUT, sources

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 50


def length(function: ast.FunctionDef) -> int:
    """Return the lines of a function's body, without signature and docstring."""
    body = function.body[ast.get_docstring(function) is not None :]
    return function.end_lineno - body[0].lineno + 1 if body else 0


@pytest.mark.parametrize(
    "file", sources("verifyhub", "client/verifyhub_client", "bench"), ids=str
)
def test_files_and_functions_stay_readable(file):
    text = file.read_text(encoding="utf-8")

    long_functions = [
        f"{node.name}: {length(node)} lines"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef) and length(node) > MAX_FUNCTION_LINES
    ]

    assert long_functions == [], file.relative_to(CHECKOUT)
    assert len(text.splitlines()) <= MAX_FILE_LINES, file.relative_to(CHECKOUT)
