import ast
import re

from tests.architecture.tree import CHECKOUT, calls, first_text, sources

READERS = {"text", "flag", "integer", "words", "pairs", "postgres", "choice", "hosts"}


def settings_read() -> set[str]:
    """Return every name that the code reads through `config.env`."""
    return {
        name
        for file in sources("verifyhub")
        for call in calls(file)
        if isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "env"
        and call.func.attr in READERS
        and (name := first_text(call))
    }


def settings_in_example() -> list[str]:
    text = (CHECKOUT / ".env.example").read_text(encoding="utf-8")
    return re.findall(r"^([A-Z_]+)=", text, re.MULTILINE)


def test_the_example_names_every_setting_once_and_no_other():
    assert sorted(settings_read()) == sorted(settings_in_example())


def test_the_development_lock_holds_the_run_lock_pin_for_pin():
    def pins(name: str) -> set[str]:
        text = (CHECKOUT / "requirements" / name).read_text(encoding="utf-8")
        return set(re.findall(r"^[a-z0-9-]+==[^ \\]+", text, re.MULTILINE))

    assert pins("run.lock") <= pins("dev.lock")
    assert len(pins("run.lock")) > 30


def test_the_lock_files_name_no_address():
    for lock in (CHECKOUT / "requirements").glob("*.lock"):
        assert "://" not in lock.read_text(encoding="utf-8"), lock.name
