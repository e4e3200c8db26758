"""Documents of a project, and the progress of embedding."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from verifyhub.accounts.models import Project
from verifyhub.common.prepared import PreparedQuery
from verifyhub.knowledge.models import Document, EmbeddingSpace, Passage, PassageVector


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingProgress:
    """The progress of embedding a project's passages.

    Attributes:
        space: The space that is being filled, or the last one; None without any.
        done: Number of passages in it.
        total: Number of all passages.
        serving: The model that searches use meanwhile, if it is another one.
    """

    space: EmbeddingSpace | None
    done: int
    total: int
    serving: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether every passage is embedded."""
        return self.space is not None and self.done >= self.total

    @property
    def is_failed(self) -> bool:
        """Whether embedding has failed for good."""
        failed = EmbeddingSpace.State.FAILED
        return self.space is not None and self.space.state == failed

    @property
    def error(self) -> str:
        """The error of the last attempt; empty if it succeeded."""
        return self.space.error if self.space and not self.is_complete else ""


_ANY_PASSAGE = PreparedQuery(
    lambda project: Document.objects.filter(
        project=project, passage_count__gt=0
    ).values_list("pk")[:1]
)


def has_knowledge(project: Project) -> bool:
    """Whether a project has documents to check claims against."""
    return bool(_ANY_PASSAGE(project=project.id))


def documents(project: Project) -> QuerySet[Document]:
    """Return a project's documents without their texts, newest first."""
    rows = Document.objects.filter(project=project).defer("text")
    return rows.order_by("-created_at", "-id")


def document_named(project: Project, name: str) -> Document | None:
    """Return a document by its external id or UUID; None if there is none."""
    rows = Document.objects.filter(project=project)
    document = rows.filter(external_id=name).first() if name else None
    if document is not None:
        return document
    try:
        return rows.filter(pk=UUID(name)).first()
    except ValueError:
        return None


def serving_space(project: Project) -> EmbeddingSpace | None:
    """Return the space that searches use; None before the first embedding."""
    rows = EmbeddingSpace.objects.filter(project=project, serves=True)
    return rows.select_related("project", "endpoint").first()


def progress_of(project: Project) -> EmbeddingProgress:
    """Return the progress of embedding a project's passages."""
    spaces = list(
        EmbeddingSpace.objects.filter(project=project).order_by("-is_wanted", "-serves")
    )
    total = Passage.objects.filter(project=project).count()
    if not spaces:
        return EmbeddingProgress(space=None, done=0, total=total)
    space = spaces[0]
    serving = next((other.model for other in spaces[1:] if other.serves), "")
    done = PassageVector.objects.filter(space=space).count()
    return EmbeddingProgress(space=space, done=done, total=total, serving=serving)


def missing_passages(space: EmbeddingSpace, *, after: int = 0) -> QuerySet[Passage]:
    """Return passages after an id that are missing in a space, by id."""
    rows = Passage.objects.filter(project=space.project_id, id__gt=after)
    missing = rows.filter(~Exists(_there(space)))
    return missing.only("id", "title", "text", "document_id").order_by("id")


def unembedded(space: EmbeddingSpace) -> Exists:
    """Return a filter for documents with a passage that is missing in a space."""
    rows = Passage.objects.filter(document=OuterRef("pk"))
    return Exists(rows.filter(~Exists(_there(space))))


def _there(space: EmbeddingSpace) -> QuerySet[PassageVector]:
    return PassageVector.objects.filter(passage=OuterRef("pk"), space=space)
