import json
import re

from tests import sbom
from tests.architecture.tree import CHECKOUT

PAGE = (CHECKOUT / "docs" / "security.md").read_text(encoding="utf-8")


def test_every_test_that_the_page_names_exists():
    named = set(re.findall(r"`(tests/[^`]+)`", PAGE))

    assert len(named) > 30
    assert [name for name in sorted(named) if not (CHECKOUT / name).exists()] == []


def test_every_chapter_of_the_standard_is_answered():
    groups = re.findall(r"^\| (V\d+)", PAGE, re.MULTILINE)

    assert {int(group[1:]) for group in groups} == set(range(1, 18))


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
