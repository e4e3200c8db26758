"""The project's own source files, for tests that look at all of them."""

import ast
from collections.abc import Iterator
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


def sources(*folders: str) -> list[Path]:
    """Return every Python file below `folders`, migrations left out."""
    return sorted(
        file
        for folder in folders
        for file in (CHECKOUT / folder).rglob("*.py")
        if "migrations" not in file.parts
    )


def modules(path: str) -> list[str]:
    """Return the dotted names of a module, or of all in a package, of `verifyhub`."""
    return _dotted(CHECKOUT / "verifyhub" / path, CHECKOUT)


def client_modules() -> list[str]:
    """Return the dotted names of all modules of the client's distribution."""
    return _dotted(CHECKOUT / "client" / "verifyhub_client", CHECKOUT / "client")


def _dotted(start: Path, top: Path) -> list[str]:
    files = [start] if start.suffix else sorted(start.rglob("*.py"))
    names = (file.relative_to(top).with_suffix("") for file in files)
    return [".".join(name.parts).removesuffix(".__init__") for name in names]


def calls(file: Path) -> Iterator[ast.Call]:
    """Return every call a file makes."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield node


def first_text(call: ast.Call) -> str | None:
    """Return a call's first argument if it is a string that stands there."""
    if call.args and isinstance(call.args[0], ast.Constant):
        value = call.args[0].value
        return value if isinstance(value, str) else None
    return None


def has_migrations(name: str) -> bool:
    """Whether an app, by its dotted name, is the project's and has migrations."""
    if not name.startswith("verifyhub."):
        return False
    return any((CHECKOUT / name.replace(".", "/") / "migrations").glob("0*.py"))
