"""Shapes of knowledge in the API."""

from typing import Any

from rest_framework import serializers

from verifyhub.common.api_bodies import RequestBody
from verifyhub.engine.passages import PassageOrigin
from verifyhub.knowledge.models import Document, EmbeddingSpace

MAX_QUESTION = 2000
MAX_FOUND = 50


class DocumentSerializer(serializers.ModelSerializer[Document]):
    """A document, without its text."""

    class Meta:
        model = Document
        fields = [
            "id",
            "external_id",
            "title",
            "url",
            "sha256",
            "state",
            "passage_count",
            "author",
            "created_at",
            "changed_at",
        ]


class WholeDocumentSerializer(DocumentSerializer):
    """A document with its text."""

    class Meta(DocumentSerializer.Meta):
        fields = [*DocumentSerializer.Meta.fields, "text"]


class SyncedDocument(RequestBody):
    """What a document is to be; its external id stands in the address."""

    title = serializers.CharField(max_length=Document.MAX_TITLE)
    text = serializers.CharField(trim_whitespace=False)
    url = serializers.CharField(
        max_length=Document.MAX_URL, allow_blank=True, default=""
    )


class NewDocument(SyncedDocument):
    """A document to be added."""

    external_id = serializers.CharField(
        max_length=Document.MAX_EXTERNAL_ID,
        allow_blank=True,
        default="",
        help_text="By which you find it again; `PUT` keeps it up to date.",
    )


class ProgressSerializer(serializers.Serializer[Any]):
    """How far a project's knowledge is embedded."""

    documents = serializers.IntegerField()
    passages = serializers.IntegerField()
    embedded = serializers.IntegerField(help_text="Passages the model has embedded.")
    model = serializers.CharField(allow_null=True)
    dimension = serializers.IntegerField(allow_null=True)
    serving = serializers.CharField(
        help_text="The former model, while it still serves; else empty."
    )
    state = serializers.ChoiceField(
        choices=EmbeddingSpace.State.choices, allow_null=True
    )
    error = serializers.CharField(help_text="Why nothing was embedded last; or empty.")


class SearchQuery(serializers.Serializer[dict[str, Any]]):
    """What to look for."""

    text = serializers.CharField(max_length=MAX_QUESTION)
    limit = serializers.IntegerField(min_value=1, max_value=MAX_FOUND, default=10)


class FoundPassage(serializers.Serializer[Any]):
    """A passage that was found."""

    passage = serializers.CharField(source="passage.id")
    origin = serializers.ChoiceField(
        source="passage.origin", choices=[str(one) for one in PassageOrigin]
    )
    ref = serializers.CharField(
        source="passage.ref", help_text="Id of the document or of the memory entry."
    )
    title = serializers.CharField(source="passage.title")
    text = serializers.CharField(source="passage.text")
    span = serializers.ListField(
        source="passage.span",
        child=serializers.IntegerField(),
        help_text="Where it stands in its text, in code points.",
    )
    score = serializers.FloatField(help_text="Of the joined ranking; orders only.")
    similarity = serializers.FloatField(
        allow_null=True, help_text="Cosine, -1 to 1; null where it is not embedded yet."
    )


class FoundSerializer(serializers.Serializer[Any]):
    """What a search found, best first."""

    results = FoundPassage(many=True)
