"""The embedding model of a project."""

from verifyhub.accounts.models import Project
from verifyhub.inference.models import EmbeddingChoice


def embedding_choice(project: Project) -> EmbeddingChoice | None:
    """Return the row of a project's model; None for the local one."""
    rows = EmbeddingChoice.objects.filter(project=project)
    return rows.select_related("endpoint").first()
