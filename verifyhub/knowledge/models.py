"""Documents of a project, their passages, and the passages' vectors."""

import uuid

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField, HnswIndex

from verifyhub.accounts.models import Project
from verifyhub.common.db import TimestampedModel
from verifyhub.common.queued_row import QueuedRow
from verifyhub.engine.local_models.embedder import DIMENSION
from verifyhub.inference.models import EmbeddingChoice, ModelEndpoint
from verifyhub.ingest.models import Session
from verifyhub.memory.models import MemoryEntry

# Links of a node of the graph, and the width of the search for them while it is built
# (measured in docs/benchmarks.md).
HNSW_M = 16
HNSW_EF_CONSTRUCTION = 128
# Larger vectors cannot be indexed (pgvector, halfvec).
MAX_DIMENSION = 4000
# Stems ASCII words as English and Cyrillic ones as Russian; other words hardly change.
# A single configuration, so that one index suffices.
SEARCH_CONFIG = "russian"


def vector_index(dimension: int) -> HnswIndex:
    """Return the index of all vectors of a dimension."""
    column = Cast("embedding", HalfVectorField(dimensions=dimension))
    return HnswIndex(
        OpClass(column, name="halfvec_cosine_ops"),
        name=f"passage_vector_{dimension}",
        m=HNSW_M,
        ef_construction=HNSW_EF_CONSTRUCTION,
        condition=models.Q(dimension=dimension),
    )


class Document(TimestampedModel):
    """A text that a project accepts as true."""

    class State(models.TextChoices):
        # Search by words already finds it.
        WAITING = "waiting", _("Embedding")
        READY = "ready", _("Ready")

    MAX_EXTERNAL_ID = 200
    MAX_TITLE = 300
    MAX_URL = 1000

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    # A program's name for updates; empty for people's documents.
    external_id = models.CharField(max_length=MAX_EXTERNAL_ID, blank=True)
    title = models.CharField(max_length=MAX_TITLE)
    url = models.CharField(max_length=MAX_URL, blank=True)
    text = models.TextField()
    # Of title and text, to skip unchanged documents.
    sha256 = models.CharField(max_length=64)
    state = models.CharField(max_length=20, choices=State, default=State.WAITING)
    passage_count = models.PositiveIntegerField(default=0)
    # The person or API key that added it, as named in the audit log.
    author = models.CharField(max_length=200, blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "external_id"],
                condition=~models.Q(external_id=""),
                name="document_external_id_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "-created_at", "-id"], name="document_recent"
            ),
        ]

    def __str__(self) -> str:
        return self.title


class Passage(TimestampedModel):
    """A part of a document, or a finding of memory, for search."""

    class Origin(models.TextChoices):
        DOCUMENT = "document", _("Document")
        FINDING = "finding", _("Finding")

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    origin = models.CharField(max_length=20, choices=Origin)
    document = models.ForeignKey(
        Document, null=True, on_delete=models.CASCADE, related_name="passages"
    )
    finding = models.OneToOneField(
        MemoryEntry, null=True, on_delete=models.CASCADE, related_name="+"
    )
    # For a finding of a single session.
    session = models.ForeignKey(
        Session, null=True, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    title = models.CharField(max_length=Document.MAX_TITLE, blank=True)
    text = models.TextField()
    # Its position in the text, in code points.
    start = models.PositiveIntegerField(default=0)
    end = models.PositiveIntegerField()
    search = models.GeneratedField(
        expression=models.Func(
            models.F("title"),
            models.F("text"),
            arg_joiner=" || ' ' || ",
            template=f"to_tsvector('{SEARCH_CONFIG}'::regconfig, %(expressions)s)",
            output_field=SearchVectorField(),
        ),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    origin="document", document__isnull=False, finding__isnull=True
                )
                | models.Q(
                    origin="finding", document__isnull=True, finding__isnull=False
                ),
                name="passage_has_one_origin",
            ),
        ]
        indexes = [
            models.Index(fields=["project", "id"], name="passage_walk"),
            models.Index(fields=["document", "start"], name="passage_in_document"),
            models.Index(
                fields=["project"],
                condition=models.Q(origin="finding"),
                name="passage_of_finding",
            ),
            GinIndex(fields=["project", "search"], name="passage_words"),
            models.Index(
                fields=["session"],
                condition=models.Q(session__isnull=False),
                name="passage_of_session",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.origin} {self.start}-{self.end}"


class EmbeddingSpace(QueuedRow):
    """A model that embeds a project's passages. The row is queued work (ADR 0003).

    Vectors of different spaces are never compared. The previous space is used until the
    new one is complete.
    """

    class State(models.TextChoices):
        PENDING = "pending", _("Waiting")
        RUNNING = "running", _("Embedding")
        FINISHED = "finished", _("Complete")
        FAILED = "failed", _("Failed")

    OPEN = (State.PENDING, State.RUNNING)
    DEADLINE_SECONDS = EmbeddingChoice.DEADLINE_SECONDS
    MAX_MODEL = 200

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    # Identifies endpoint and model, and so the space.
    fingerprint = models.CharField(max_length=64)
    model = models.CharField(max_length=MAX_MODEL)
    dimension = models.PositiveIntegerField()
    # The endpoint; null for the local model.
    endpoint = models.ForeignKey(
        ModelEndpoint, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    is_local = models.BooleanField(default=False)
    # Price and deadline when it was chosen; searches call it, too.
    input_microdollars = models.PositiveBigIntegerField(null=True)
    deadline_seconds = models.PositiveIntegerField(default=DEADLINE_SECONDS)
    # Whether searches use it.
    serves = models.BooleanField(default=False)
    is_wanted = models.BooleanField(default=True)
    # The last passage that was processed.
    walked_to = models.PositiveBigIntegerField(default=0)
    state = models.CharField(max_length=20, choices=State, default=State.PENDING)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "fingerprint"], name="embedding_space_once"
            ),
            models.UniqueConstraint(
                fields=["project"],
                condition=models.Q(serves=True),
                name="embedding_space_one_serves",
            ),
            models.UniqueConstraint(
                fields=["project"],
                condition=models.Q(is_wanted=True),
                name="embedding_space_one_wanted",
            ),
            models.CheckConstraint(
                condition=models.Q(dimension__gte=1, dimension__lte=MAX_DIMENSION),
                name="embedding_space_dimension_indexable",
            ),
        ]
        indexes = [
            models.Index(
                fields=["created_at", "id"],
                condition=models.Q(state__in=["pending", "running"]),
                name="embedding_space_queue",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model} ({self.dimension})"


class PassageVector(models.Model):
    """A passage's vector in one space."""

    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    passage = models.ForeignKey(
        Passage, on_delete=models.CASCADE, related_name="vectors", db_index=False
    )
    space = models.ForeignKey(
        EmbeddingSpace, on_delete=models.CASCADE, related_name="vectors"
    )
    # Copied from the passage, so that a vector search needs no join.
    session_id = models.UUIDField(null=True)
    dimension = models.PositiveIntegerField()
    embedding = HalfVectorField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["passage", "space"], name="passage_vector_once"
            ),
        ]
        # Other dimensions get an index when their first model is chosen.
        indexes = [vector_index(DIMENSION)]

    def __str__(self) -> str:
        return f"{self.passage_id} in {self.space_id}"
