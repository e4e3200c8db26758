"""Runs of a given size that are meant to be slow: hostile or unusual input.

Each shape takes a size in bytes and returns a run whose trace, or whose answer, has
about that size. Ten times the size should take about ten times as long.
"""

from collections.abc import Callable, Iterable
from itertools import count, takewhile

from verifyhub.engine.types import Interaction, ToolCall

ASKED = (
    "`load_record_7()`, `src/app/main.py`, `DATA_DIR`, `a/b`, `git status` and `aaaa`"
)


def _run(answer: str, *outputs: str, tool: str = "read_file") -> Interaction:
    calls = tuple(
        ToolCall(index=index, tool=tool, input={"path": f"f{index}.py"}, output=output)
        for index, output in enumerate(outputs)
    )
    return Interaction(task="Look.", answer=answer, tool_calls=calls)


def _filled(piece: str, size: int) -> str:
    return piece * (size // len(piece))


def _numbered(template: str, size: int) -> Iterable[str]:
    width = len(template.format(size))
    return (template.format(number) for number in range(size // width))


def one_line(size: int) -> Interaction:
    """A trace without a line end."""
    return _run(ASKED, _filled("load_record_8(path, limit=3); src/app/mains.py ", size))


def one_character(size: int) -> Interaction:
    """A word as long as the trace."""
    return _run(ASKED, "a" * size)


def separators(size: int) -> Interaction:
    """Only path separators, with short names between them."""
    return _run(ASKED, _filled("/a/b//\\", size))


def long_chunk(size: int) -> Interaction:
    """One chunk of letters outside ASCII as long as the trace, names inside it."""
    return _run(ASKED, _filled("é.a/", size))


def escapes(size: int) -> Interaction:
    """Quoted JSON in quoted JSON: every name follows an escape."""
    return _run(ASKED, _filled('\\\\n\\"a\\\\tload_record_8', size))


def percent(size: int) -> Interaction:
    """Encoded paths and letters."""
    return _run(ASKED, _filled("%61%2Fb/%41 ", size))


def nested_quotes(size: int) -> Interaction:
    """An answer of quotes, brackets and markup that open and never close."""
    return _run(_filled("`\"'([{**_«> ", size) + ASKED, "load_record_8")


def marks(size: int) -> Interaction:
    """An answer with the worst case of regular expressions that backtrack."""
    return _run(_filled("a.b.c-d::e->f(" + "(" * 20 + "x" * 20 + "! ", size), "a.b")


def deep_json(size: int) -> Interaction:
    """An output of deeply nested JSON, and an input with a few levels."""
    half = size // 2
    return _run(ASKED, "[" * half + "]" * half, tool="query")


def look_alikes(size: int) -> Interaction:
    """A trace and an answer in letters that look like others."""
    names = "".join(_numbered("`lоаd_rесоrd_{}` ", min(size, 20_000)))
    return _run(names, _filled("lоаd_rесоrd_8 sгс/арр/mаin.py ", size))


def denials(size: int) -> Interaction:
    """Every line says that something is not there."""
    line = "cat: src/ghost_{}.py: No such file or directory\n"
    return _run(ASKED, "".join(_numbered(line, size)), tool="bash")


def tiny_names(size: int) -> Interaction:
    """An answer that consists of tiny names."""
    return _run("".join(_numbered("`f{}` ", size)), "f1 f2")


def tiny_words(size: int) -> Interaction:
    """A trace of distinct tiny words."""
    return _run(ASKED, "".join(_numbered("w{} ", size)))


def near_names(size: int) -> Interaction:
    """Names that are all similar, against a tenth as many similar ones."""
    real = "".join(_numbered("load_record_{}(\n", size))
    said = "".join(_numbered("`load_recrod_{}()` ", size // 10))
    return _run(said, real)


def dotted_names(size: int) -> Interaction:
    """Members of one class, each mentioned, in a trace without such members."""
    real = "class Store\n" + "".join(_numbered("method_{}\n", size))
    return _run("".join(_numbered("`Store.method_{}` ", size // 10)), real)


def same_basename(size: int) -> Interaction:
    """Files of one name in many folders, and as many mentioned in other folders."""
    real = "".join(_numbered("src/part{}/index.js\n", size))
    return _run("".join(_numbered("`lib/part{}/index.js` ", size // 10)), real)


def commands(size: int) -> Interaction:
    """Many commands with the same beginning."""
    ran = "".join(_numbered("git commit -m fix {}\n", size))
    said = "".join(_numbered("`git commit -m fx {}` ", size // 10))
    return _run(said, ran, tool="bash")


def nothing_to_run(size: int) -> Interaction:
    """A command of words that precede a program, without a program."""
    words = _filled("-- ", size)
    call = ToolCall(index=0, tool="Bash", input={"command": words}, output=words)
    return Interaction(task="Look.", answer=ASKED, tool_calls=(call,))


def addresses(size: int) -> Interaction:
    """Long addresses, each with many shorter ones as its prefixes."""
    real = _filled("https://example.org/" + "a/" * 400 + " ", size)
    return _run("https://example.org/a/b and https://example.org/c", real)


def prose(size: int) -> Interaction:
    """An answer of plain sentences, some of which claim work."""
    text = "I ran the tests and they all pass. The loader reads a file, then stops. "
    return _run(_filled(text, size), "1 passed")


def many_calls(size: int) -> Interaction:
    """Calls with hardly any output, alternately writing and reading."""

    def call(index: int) -> ToolCall:
        if index % 2:
            return ToolCall(
                index=index,
                tool="Read",
                input={"file_path": f"part{index - 1}.py"},
                output=f"     1\tdef load_{index}(): pass\n",
            )
        return ToolCall(
            index=index,
            tool="Write",
            input={"file_path": f"part{index}.py", "content": f"def load_{index}(): 0"},
            output=f"File created successfully at: part{index}.py",
        )

    numbers = takewhile(lambda number: number * 60 < size, count())
    return Interaction(
        task="Look.", answer=ASKED, tool_calls=tuple(call(n) for n in numbers)
    )


SHAPES: tuple[Callable[[int], Interaction], ...] = (
    one_line,
    one_character,
    separators,
    long_chunk,
    escapes,
    percent,
    nested_quotes,
    marks,
    deep_json,
    look_alikes,
    denials,
    tiny_names,
    tiny_words,
    near_names,
    dotted_names,
    same_basename,
    commands,
    nothing_to_run,
    addresses,
    prose,
    many_calls,
)
