"""The table of keys: what the sheet, the script and the documentation say."""

import re
from pathlib import Path

from django.utils import translation

from verifyhub.review.answer_page.keys import KEYS

DOCUMENT = Path(__file__).parents[2] / "docs/keys.md"


def test_the_documented_keys_are_those_of_the_table():
    rows = re.findall(r"^\| `(.+?)` \| (.+) \|$", DOCUMENT.read_text("utf-8"), re.M)

    with translation.override("en"):
        assert rows == [(key.key, str(key.words)) for key in KEYS]


def test_no_key_means_two_things():
    keys = [key.key for key in KEYS]

    assert len(set(keys)) == len(keys)
