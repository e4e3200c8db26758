"""Pages of a project's knowledge."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from tests.factories import ProjectFactory
from tests.knowledge.texts import LYON, bring, embed_all, long_text
from verifyhub.knowledge.models import Document

pytestmark = pytest.mark.django_db


def url(name, *parts):
    return reverse(f"knowledge:{name}", args=["acme", *parts])


def test_the_empty_page_says_what_to_do(browse, viewer):
    page = browse(viewer).get(url("page"))

    assert page.status_code == 200
    assert b"curl -X PUT" in page.content
    assert b"Add a document" not in page.content


def test_a_lead_adds_a_file_and_sees_how_far_it_is(browse, lead, project):
    file = SimpleUploadedFile("pumps.md", b"\xef\xbb\xbf# Pumps\n\n" + LYON.encode())
    client = browse(lead)

    done = client.post(url("upload"), {"file": file}, follow=True)

    document = Document.objects.get(project=project)
    assert (document.title, document.author) == ("pumps.md", "lead")
    assert document.text.startswith("# Pumps")
    assert b"0 of 1 passages embedded" in done.content
    assert b'hx-trigger="every' in done.content
    embed_all(project)
    page = client.get(url("page")).content
    assert b"by its words and by its meaning" in page
    assert b'hx-trigger="every' not in page


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"title": "x"}, b"Enter a text or a file, not both."),
        ({"text": LYON}, b"Give it a title"),
        ({"title": "x", "text": LYON, "url": "ftp://x"}, b"begins with http"),
        (
            {"file": SimpleUploadedFile("a.txt", b"\xff\xfe\x00")},
            b"The file is not UTF-8.",
        ),
    ],
)
def test_what_cannot_be_used_is_said_beside_its_field(browse, lead, fields, said):
    page = browse(lead).post(url("upload"), fields)

    assert page.status_code == 422
    assert said in page.content
    assert not Document.objects.exists()


def test_reviewers_read_and_do_not_write(browse, reviewer, project):
    document = bring(project)
    client = browse(reviewer)

    assert client.get(url("document", document.id)).status_code == 200
    assert client.post(url("upload"), {"text": LYON}).status_code == 403
    assert client.post(url("delete", document.id)).status_code == 403
    assert Document.objects.count() == 1


def test_a_document_is_shown_as_its_passages_and_nothing_in_it_is_run(
    browse, lead, project
):
    bring(project, long_text(30) + " <script>alert(1)</script>", title="<b>Pumps</b>")
    document = Document.objects.get()

    page = browse(lead).get(url("document", document.id)).content.decode()

    assert page.count("<article") == document.passage_count
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert "<b>Pumps" not in page


def test_a_lead_deletes_a_document(browse, lead, project):
    document = bring(project)

    browse(lead).post(url("delete", document.id))

    assert not Document.objects.exists()


def test_foreign_documents_do_not_exist(browse, admin, outsider):
    document = bring(ProjectFactory())
    client = browse(admin)

    assert client.get(url("document", document.id)).status_code == 404
    assert client.post(url("delete", document.id)).status_code == 404
    assert browse(outsider).get(url("page")).status_code == 404
    assert Document.objects.exists()


def test_a_search_shows_what_was_found_and_why(browse, viewer, project):
    bring(project)
    by_words = browse(viewer).get(url("search"), {"text": "flood in Lyon"})
    embed_all(project)
    by_both = browse(viewer).get(url("search"), {"text": "flood in Lyon"})
    nothing = browse(viewer).get(url("search"))

    assert b"by words alone" in by_words.content
    assert b"similarity 0." in by_both.content
    assert LYON.encode() in by_both.content
    assert b"Enter a claim" in nothing.content
