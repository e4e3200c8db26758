import json
import re

import pytest

from tests import advisories, sbom
from tests.architecture.tree import CHECKOUT
from tests.model_server import model_server, send_json

DOCS = CHECKOUT / "docs"
ASVS = (DOCS / "asvs.md").read_text(encoding="utf-8")
# Of levels 1 and 2, how many requirements each section of version 5.0.0 has: those of a
# section that are of level 3 alone come after them.
SECTIONS = """
1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2
4.1:3 4.2:1 4.3:2 4.4:4 5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3
6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2
10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1
12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3
15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2
"""


@pytest.mark.parametrize("page", ["asvs.md", "reliability.md"])
def test_every_test_that_the_pages_name_exists(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    named = set(re.findall(r"`(tests/[^`]+)`", text))

    assert len(named) > 20
    assert [name for name in sorted(named) if not (CHECKOUT / name).exists()] == []


def test_every_requirement_of_the_standard_is_answered_once():
    rows = re.findall(
        r"^\| ([\d., ]+) \| (?:met|partly|no|none here) \| \S", ASVS, re.MULTILINE
    )
    answered = [one for row in rows for one in row.split(", ")]
    pairs = (section.split(":") for section in SECTIONS.split())
    asked = [f"{name}.{n}" for name, last in pairs for n in range(1, int(last) + 1)]

    assert len(asked) == 253
    assert sorted(answered) == sorted(asked)


def test_the_bill_of_materials_names_every_package_once_with_licence_and_hash():
    parts = list(sbom.packages())
    made = json.loads(json.dumps(sbom.document(parts)))

    names = [one["name"] for one in made["components"]]
    assert {"django", "psycopg", "celery", "all-MiniLM-L6-v2"} <= set(names)
    assert len(names) == len(set(names)) > 100
    assert all(one.hashes and one.licence != "not stated" for one in parts)
    known = {one["bom-ref"] for one in made["components"]}
    for one in made["dependencies"]:
        assert set(one["dependsOn"]) <= known


@pytest.mark.parametrize(
    ("vulnerable", "answer", "code", "said"),
    [
        ((), 200, advisories.CLEAN, "0 of "),
        (("django",), 200, advisories.FOUND, "django 5.2"),
        ((), 503, advisories.NOT_AUDITED, "NOT AUDITED"),
    ],
)
def test_an_audit_tells_what_is_known_or_that_nobody_could_be_asked(
    capsys, vulnerable, answer, code, said
):
    def osv(handler, asked):
        vulns = [{"vulns": [{"id": "GHSA-x"}]}, {}]
        results = [
            vulns[query["package"]["name"] not in vulnerable]
            for query in asked["queries"]
        ]
        send_json(handler, {"results": results}, status=answer)

    with model_server(osv) as server:
        assert advisories.main(["--source", server.base_url]) == code

    assert said in capsys.readouterr().out
