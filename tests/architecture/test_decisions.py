"""Decisions are numbered without gaps and have one form."""

import re

import pytest

from tests.architecture.tree import CHECKOUT

FOLDER = CHECKOUT / "docs" / "adr"
DECISIONS = sorted(FOLDER.glob("[0-9]*.md"))[1:]
STATUS = re.compile(
    r"Status: (accepted|superseded by \[\d{4}\]\(\S+\)), \d{4}-\d\d-\d\d(; .+)?"
)
REFERENCE = re.compile(r"\(((?:docs/)?(?:adr/)?\d{4}-[a-z0-9-]+\.md)\)")
PAGES = [*(CHECKOUT / "docs").rglob("*.md"), *CHECKOUT.glob("*.md")]


def test_numbers_have_no_gaps():
    numbers = [int(file.name[:4]) for file in DECISIONS]

    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("file", DECISIONS, ids=lambda file: file.name[:4])
def test_a_decision_has_number_status_context_and_decision(file):
    title, _, status, *body = file.read_text(encoding="utf-8").splitlines()

    assert title.startswith(f"# {file.name[:4]}: ")
    assert STATUS.fullmatch(status)
    assert {"**Context.**", "**Decision.**"} <= {line.split(" ")[0] for line in body}


def test_what_names_a_decision_finds_it():
    lost = [
        (page.name, name)
        for page in PAGES
        for name in REFERENCE.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / name).is_file()
    ]

    assert lost == []
