"""Files that VerifyHub finds itself, in the folder that the operator declared."""

import pytest

from tests.builders import a_command, an_interaction, verify
from verifyhub.common.beneath import is_supported
from verifyhub.engine.levels.run import LevelInputs
from verifyhub.engine.reports import Grade, Status
from verifyhub.engine.thresholds import Thresholds
from verifyhub.verification.workspace import WorkspaceTree

pytestmark = pytest.mark.skipif(not is_supported(), reason="kernel without openat2")


@pytest.fixture
def inputs(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "app.py").write_text("x = 1\n")
    return LevelInputs(tree=WorkspaceTree(str(tmp_path)))


def test_a_file_no_call_showed_is_verified_where_it_is_found(inputs):
    run = an_interaction("It is in `src/app.py`.", a_command("date", "Monday"))

    (mention,) = verify(run, level_inputs=inputs).mentions

    assert (mention.status, mention.grade) == (Status.VERIFIED, Grade.A)
    assert mention.reason == "found_in_files"


@pytest.mark.parametrize("name", ["src/App.py", "src/ap.py", "app.py", "../src/app.py"])
def test_another_spelling_is_not_the_file(inputs, name):
    run = an_interaction(f"It is in `{name}`.", a_command("date", "Monday"))

    (mention,) = verify(run, level_inputs=inputs).mentions

    assert mention.status is Status.UNVERIFIED


def test_the_least_grade_a_asks_for_a_look(inputs):
    run = an_interaction(
        "See `src/app.py`, `gone.py`.", a_command("ls", "src/app.py gone.py")
    )

    found, gone = verify(
        run, level_inputs=inputs, thresholds=Thresholds(minimum_grade="A")
    ).mentions

    assert (found.grade, found.status) == (Grade.A, Status.VERIFIED)
    assert (gone.reason, gone.status) == ("grade_too_low", Status.UNVERIFIED)
