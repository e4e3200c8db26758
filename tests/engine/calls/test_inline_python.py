"""What a script of Python in a command writes, by its text."""

import pytest

from verifyhub.engine.calls.command_changes import python_writes

WRITES = [
    ("open('a.txt', 'w').write('x')", ("a.txt",)),
    ("p = Path('a.txt')\np.write_text(p.read_text().replace('a', 'b'))", ("a.txt",)),
    ("import json\nwith open(name := 'a', mode='w') as f: pass", ()),
    ("for n in ['a.txt', 'b.txt']:\n  open(n, 'a').write('x')", ("a.txt", "b.txt")),
    ("import shutil\nshutil.move('a.txt', 'b.txt')", ("b.txt",)),
    ("import pathlib\n(pathlib.Path('src') / 'a.txt').unlink()", ("a.txt",)),
    ("frame.to_csv('a.csv')", ("a.csv",)),
    ("with Path('a.txt').open('w') as f: f.write('x\\n')", ("a.txt",)),
]
READS = [
    "print(open('a.txt').read())",
    "import sys\nsys.stdout.write('x => y')",
    "s = open('a.txt', 'r').read().replace('open(', 'write(')",
    "open('a.txt', 'w'",  # No Python: it tells nothing.
    "(" * 5_000,
    "x=1\n" * 10_000,
]


@pytest.mark.parametrize(("script", "paths"), WRITES)
def test_files_that_a_script_writes_are_those_it_spells(script, paths):
    writes = python_writes(script)

    assert writes
    assert writes.paths == paths


@pytest.mark.parametrize("script", READS)
def test_a_script_that_reads_writes_nothing(script):
    assert not python_writes(script)


def test_names_bound_to_names_stay_few():
    loops = (
        f"for n{i} in [{', '.join([f'n{i - 1}'] * 50)}]: pass" for i in range(1, 9)
    )
    script = "\n".join(["n0 = 'a.txt'", *loops, "open(n8, 'w')"])

    assert python_writes(script).paths == ("a.txt",)
