"""What the three levels found, on the answer page and in the queue."""

import hashlib

import pytest

from verifyhub.review.models import ReviewItem

WRITE = {
    "tool": "Write",
    "input": {"file_path": "a.py", "content": "one"},
    "output": "Wrote a.py",
    "status": "ok",
}


def a_block(*claims, **more):
    return {"summary": "Did it.", "traceRef": "trace:1", "claims": [*claims], **more}


def wrote(path, content):
    digest = hashlib.sha256(content.encode()).hexdigest()
    return {"type": "file-write", "path": path, "sha256": digest}


@pytest.fixture
def page(browse, viewer, answered):
    def shown(**content):
        interaction = answered(**content)
        client = browse(viewer)
        return client.get(f"/p/acme/answers/{interaction.id}/checks/").content.decode()

    return shown


def test_every_claim_is_shown_with_its_status_and_reason(page):
    block = a_block(wrote("a.py", "one"), wrote("a.py", "two"))

    html = page(tool_calls=[WRITE], structured_output=block)

    assert "A call wrote exactly these bytes." in html
    assert "The run wrote other bytes." in html
    assert "hash_mismatch" in html
    assert "/calls/0/" in html


def test_errors_of_structure_are_shown_by_path(page):
    html = page(structured_output=a_block(traceRef="run 1"))

    assert "structured_output.traceRef" in html


def test_without_an_account_the_page_shows_none(page):
    assert "levels-title" not in page()


def test_claims_are_text_and_never_markup(page):
    block = a_block(wrote("<script>alert(1)</script>.py", "one"))

    assert "<script>alert(1)" not in page(structured_output=block)


def test_claims_made_from_the_trace_are_called_so(page):
    html = page(tool_calls=[WRITE], manifest=[{"path": "a.py", "sha256": None}])

    assert "derived from its tool calls" in html
    # The trace and the manifest disagree: what each says stands side by side.
    assert "Trace, manifest and workspace differ." in html
    assert "trace, grade C: A call wrote exactly these bytes." in html
    assert "uploaded manifest, grade D: The file does not exist." in html


@pytest.mark.parametrize(
    ("calls", "kind"), [([WRITE], "level_failed"), ([], "level_open")]
)
def test_a_level_that_failed_or_stays_open_is_queued_with_its_reason(
    answered, calls, kind
):
    answer = "Done." if calls else "I am done."

    answered(
        answer=answer,
        tool_calls=calls,
        structured_output=a_block(wrote("a.py", "two")),
    )

    item = ReviewItem.objects.get()
    assert kind in item.reason_kinds
