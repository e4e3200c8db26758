"""A method belongs to a class where the trace shows it there, not where both stand."""

import pytest

from tests.builders import a_command, an_interaction, verify
from verifyhub.engine.types import ToolCall

PYTHON = """\
class Ledger(Base):
    limit = 5
    def __init__(self, path):
        self.db_path = path
        load_rows(path)
    def record(self, item):
        return load_rows(item)

class Other:
    def close(self): ...

def load_rows(path):
    return path
"""
GO = """\
type Entry struct {
\tExpiresAt int64
}
func (e *Entry) Refresh() error { return nil }
func Open(key string) *Entry { return nil }
"""
TYPESCRIPT = """\
export interface Row {
  total: number;
}
export class Gateway {
  async charge(amount: number) {
    return format(amount);
  }
}
export const format = (n: number) => n;
"""
NUMBERED = "\n".join(
    f"{number:6}\t{line}" for number, line in enumerate(PYTHON.splitlines(), 1)
)
SPACED = "\n".join(
    f"{number}: {line}" for number, line in enumerate(PYTHON.splitlines(), 1)
)
SEARCHED = "src/a.py:12:class Ledger:\nsrc/a.py:90:    def record(self):"
DIFF = "+class Ledger:\n+    def record(self):\n+        pass\n"
CONFIG = '{\n  "options": {\n    "strict": true\n  }\n}\nservices:\n  web:\n    x: 1\n'


@pytest.mark.parametrize(
    ("text", "name", "status"),
    [
        (PYTHON, "Ledger.record()", "verified"),
        (PYTHON, "Ledger.limit", "verified"),
        (PYTHON, "Ledger.db_path", "verified"),
        (PYTHON, "Ledger.load_rows()", "unverified"),
        (PYTHON, "Ledger.close()", "unverified"),
        (PYTHON, "Other.close()", "verified"),
        (NUMBERED, "Ledger.record()", "verified"),
        (NUMBERED, "Ledger.load_rows()", "unverified"),
        (SPACED, "Ledger.record()", "verified"),
        (SPACED, "Ledger.load_rows()", "unverified"),
        (SEARCHED, "Ledger.record()", "verified"),
        (DIFF, "Ledger.record()", "verified"),
        (GO, "Entry.Refresh()", "verified"),
        (GO, "Entry.ExpiresAt", "verified"),
        (GO, "Entry.Open()", "unverified"),
        (TYPESCRIPT, "Gateway.charge()", "verified"),
        (TYPESCRIPT, "Row.total", "verified"),
        (TYPESCRIPT, "Row.charge()", "unverified"),
        (TYPESCRIPT, "Gateway.format()", "unverified"),
        (CONFIG, "options.strict", "verified"),
        (CONFIG, "services.web", "verified"),
        (CONFIG, "services.strict", "unverified"),
        ('options["strict"] = True', "options.strict", "verified"),
        ("from xml.etree import Tree", "xml.etree.Tree", "verified"),
    ],
)
def test_member_is_looked_for_inside_its_owner(text, name, status):
    report = verify(an_interaction(f"It is `{name}`.", a_command("cat src", text)))

    assert [mention.status for mention in report.mentions] == [status]


def test_class_may_be_defined_above_the_part_of_the_file_that_was_read():
    head = a_command("sed -n 1,2p a.py", "class Ledger:\n    limit = 5\n")
    rest = a_command("sed -n 90,95p a.py", "        x = 1\n    def record(self):\n")

    report = verify(an_interaction("It is `Ledger.record()`.", head, rest))

    assert [mention.status for mention in report.mentions] == ["verified"]


def test_text_that_holds_the_name_alone_hides_no_later_one():
    listing = a_command("grep -c record", "record: 2\n")
    source = a_command("cat a.py", PYTHON)

    report = verify(an_interaction("It is `Ledger.record()`.", listing, source))

    (mention,) = report.mentions
    assert (mention.status, mention.reason) == ("verified", "found_resolved")
    assert source.output[slice(*mention.evidence[0].span)] == "record"


@pytest.mark.parametrize(
    ("path", "text", "name", "status"),
    [
        ("src/dates.py", "def parse(text):\n", "dates.parse()", "verified"),
        ("src/dates.py", "    return json.load(text)\n", "dates.load()", "unverified"),
        ("src/dates.py", "def parse(text):\n", "times.parse()", "unverified"),
        ("cmd/plan/a.go", "func get(point Point) {\n", "plan.Point", "verified"),
        ("cmd/plan/area.go", "func get(p Point) {\n", "area.Point", "unverified"),
        ("web/store/index.ts", "export function get() {\n", "store.get()", "verified"),
    ],
)
def test_what_a_file_holds_is_reached_by_its_module_or_package(
    path, text, name, status
):
    read = ToolCall(index=0, tool="Read", input={"file_path": path}, output=text)

    report = verify(an_interaction(f"It is `{name}`.", read))

    assert [mention.status for mention in report.mentions] == [status]
