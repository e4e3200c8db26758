"""Which mutants are drawn."""

from collections import Counter

from tests.mutants.drawing import Mutant, draw

PATH = "verifyhub/engine/memory/sections.py"
SHORT = '''
@dataclass(frozen=True)
class Section:
    """One or more lines."""

    lines: int | None = None

    def __str__(self) -> str | None:
        return "many" if self.lines > 1 else "one"

def cut(sections: list[int] | None = None) -> int | None:
    logger.info("cut", left=1 + 1)
    return sections[0] + 7
'''


def drawn(source: str, *, number: int = 100, seed: int = 1) -> list[Mutant]:
    return draw([(PATH, source)], number=number, seed=seed)


def test_what_runs_is_changed_and_no_annotation_text_or_log() -> None:
    changed = {SHORT.splitlines()[mutant.start[0] - 1] for mutant in drawn(SHORT)}

    assert changed == {"    return sections[0] + 7", "@dataclass(frozen=True)"}


def test_a_seed_gives_the_same_mutants_again_and_another_gives_others() -> None:
    source = "def f(x):\n" + "".join(f"    x = x + {n}\n" for n in range(90))

    first = drawn(source, number=10, seed=1)

    assert first == drawn(source, number=10, seed=1)
    assert first != drawn(source, number=10, seed=2)


def test_packages_take_part_by_their_sizes_and_places_once() -> None:
    files = [
        (PATH, "x = y < z\n" * 30),
        ("verifyhub/accounts/views.py", "x = y < z\n" * 10),
    ]

    mutants = draw(files, number=8, seed=1)

    sizes = {"verifyhub/engine/memory": 6, "verifyhub/accounts": 2}
    assert Counter(mutant.package for mutant in mutants) == sizes
    assert len({(mutant.path, mutant.start) for mutant in mutants}) == 8


def test_a_mutant_is_the_file_with_its_one_change() -> None:
    source = "x = y or z  # a comment stays\n"

    (mutant,) = drawn(source)

    assert mutant.applied(source) == "x = y and z  # a comment stays\n"
