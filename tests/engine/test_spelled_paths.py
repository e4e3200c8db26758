"""Paths with blanks and brackets are one name where a code span says so."""

import pytest

from tests.builders import a_command, an_interaction, verify
from verifyhub.engine.mentions.extract import extract_mentions

TRACE = "app/[slug]/page.tsx\n/home/x/My Documents/a b.txt\nroutes/(shop)/cart.tsx:3\n"


@pytest.mark.parametrize(
    "path",
    [
        "app/[slug]/page.tsx",
        "app/[...rest]/page.tsx",
        "app/[[...rest]]/page.tsx",
        "routes/(shop)/cart.tsx",
        "My Documents/a b.txt",
        "/home/x/My Documents/notes.txt",
        "C:\\Program Files\\App\\start.ini",
    ],
)
def test_code_span_is_one_file(path):
    (mention,) = extract_mentions(f"It is in `{path}`.")

    assert (mention.text, mention.kind) == (path, "file")


@pytest.mark.parametrize(
    "text",
    [
        "cat docs/a b.txt",
        "see docs/a.md",
        "merge a.md into b/c d.md",
        "run ./x --in a/b c.txt",
        "load(src/a.py)",
        "items[0]/total",
    ],
)
def test_command_or_phrase_is_no_path(text):
    assert text not in [
        mention.text
        for mention in extract_mentions(f"It is `{text}`.")
        if mention.kind == "file"
    ]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("app/[slug]/page.tsx", "verified"),
        ("app/[slug]/page.tsx:12", "verified"),
        ("[slug]/page.tsx", "verified"),
        ("app/[id]/page.tsx", "unverified"),
        ("app/[slug]/page.ts", "unverified"),
        ("pp/[slug]/page.tsx", "unverified"),
        ("My Documents/a b.txt", "verified"),
        ("routes/(shop)/cart.tsx", "verified"),
        ("routes/(blog)/cart.tsx", "unverified"),
        ("/home/x/app/[slug]/page.tsx", "verified"),
        ("/home/y/app/[slug]/page.tsx", "unverified"),
    ],
)
def test_whole_path_is_what_is_looked_for(path, status):
    listing = a_command("find /home/x", TRACE + "/home/x/package.json\n")

    (mention,) = verify(an_interaction(f"See `{path}`.", listing)).mentions

    assert mention.status == status


def test_evidence_points_at_the_whole_path():
    listing = a_command("ls", TRACE)

    (mention,) = verify(an_interaction("See `app/[slug]/page.tsx`.", listing)).mentions

    (place,) = mention.evidence
    assert listing.output[slice(*place.span)] == "app/[slug]/page.tsx"


@pytest.mark.parametrize(
    ("path", "listing", "status"),
    [
        ("Documents/a b.txt", "/home/x/My Documents/a b.txt", "unverified"),
        ("Documents/a b.txt", "My Documents/a b.txt\n", "unverified"),
        ("Documents/a b.txt", "Found: Documents/a b.txt\n", "verified"),
        ("Documents/a b.txt", "Documents/a b.txt\n", "verified"),
        ("My Documents/a b.txt", "/home/x/My Documents/a b.txt", "verified"),
    ],
)
def test_folder_with_a_blank_is_one_name(path, listing, status):
    report = verify(an_interaction(f"See `{path}`.", a_command("ls", listing)))

    assert [mention.status for mention in report.mentions] == [status]
