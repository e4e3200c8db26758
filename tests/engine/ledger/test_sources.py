"""The texts of a run as sources of evidence."""

from tests.builders import a_command
from tests.engine.ledger.builders import ledger_of
from verifyhub.engine.ledger.sources import LedgerTier
from verifyhub.engine.text.search import BLOCK

DENIALS = "ls: cannot access '{}': No such file or directory\n"


def _absent(output: str):
    sources = ledger_of(a_command("ls one.py two.py", output)).sources
    (source,) = [one for one in sources if one.tier is LedgerTier.ABSENT]
    return source


def test_of_what_an_output_denies_only_the_names_are_read():
    between = "kept.py\n" * BLOCK

    source = _absent(DENIALS.format("one.py") + between + DENIALS.format("two.py"))

    read = [source.text[first:last] for first, last in source.blocks()]
    assert {"one.py", "two.py"} <= set(read)
    assert "".join(source.text.split()) == "".join(read)


def test_a_source_without_blanks_is_read_whole():
    (source, *_) = ledger_of(a_command("cat a.py", "x = 1")).sources

    assert list(source.blocks()) == [(0, len(source.text))]
