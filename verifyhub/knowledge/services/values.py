"""Validation of a document, field by field."""

import re
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _
from pydantic import Field

from verifyhub.common.contract import CONTROLS, ContractModel
from verifyhub.knowledge.errors import KnowledgeError
from verifyhub.knowledge.models import Document

# PostgreSQL stores neither; each is replaced by one character, to keep positions.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
REPLACEMENT = "\ufffd"
SCHEMES = frozenset({"http", "https"})


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentContent(ContractModel):
    """The content of a document; its external id is in the URL."""

    title: Annotated[
        str,
        Field(
            max_length=Document.MAX_TITLE,
            json_schema_extra={"minLength": 1, "pattern": r"[^\s\x00]"},
        ),
    ]
    text: Annotated[
        str, Field(json_schema_extra={"minLength": 1, "pattern": r"[^\s\x00]"})
    ]
    url: Annotated[
        str,
        Field(
            max_length=Document.MAX_URL,
            json_schema_extra={"pattern": rf"^(https?://[^\s{CONTROLS}]+)?$"},
        ),
    ] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentValues(DocumentContent):
    """The content of a document."""

    external_id: Annotated[
        str,
        Field(
            max_length=Document.MAX_EXTERNAL_ID,
            json_schema_extra={"pattern": f"^[^{CONTROLS}]*$"},
        ),
    ] = ""
    """Your own id of the document; update it with `PUT`."""


def checked(values: DocumentValues) -> DocumentValues:
    """Return validated values.

    Raises:
        KnowledgeError: With the invalid field.
    """
    title, text = storable(values.title).strip(), storable(values.text)
    if not title or len(title) > Document.MAX_TITLE:
        raise KnowledgeError(
            "title",
            _("Give it a title of at most %(n)s characters.")
            % {"n": Document.MAX_TITLE},
        )
    if not text.strip():
        raise KnowledgeError("text", _("It contains no text."))
    most, size = settings.KNOWLEDGE_DOCUMENT_BYTES, len(text.encode())
    if size > most:
        raise KnowledgeError(
            "text",
            _("It has %(n)s bytes; %(most)s is the most a document may have.")
            % {"n": size, "most": most},
        )
    _check_url(values.url)
    own = values.external_id
    if len(own) > Document.MAX_EXTERNAL_ID or not own.isprintable():
        raise KnowledgeError(
            "external_id",
            _("At most %(n)s plain characters.") % {"n": Document.MAX_EXTERNAL_ID},
        )
    return DocumentValues(title=title, text=text, url=values.url, external_id=own)


def storable(text: str) -> str:
    """Return a text that the database can store, of the same length."""
    return _UNSTORABLE.sub(REPLACEMENT, text)


def _check_url(url: str) -> None:
    if not url:
        return
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    plain = url.isprintable() and " " not in url and len(url) <= Document.MAX_URL
    if not plain or parts.scheme not in SCHEMES or not parts.netloc:
        raise KnowledgeError(
            "url", _("Give an address that begins with http or https.")
        )
