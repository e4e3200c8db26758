"""Shapes of knowledge in the API."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, StringConstraints
from rest_framework import serializers

from verifyhub.common.contract import ContractModel
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery(ContractModel):
    """What to look for."""

    text: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUESTION),
    ]
    limit: Annotated[int, Field(ge=1, le=MAX_FOUND)] = 10


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
