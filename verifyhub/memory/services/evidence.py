"""Which tool calls have shown a name to the project."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from verifyhub.accounts.models import Project
from verifyhub.common.prepared import Place
from verifyhub.ingest.models import Interaction
from verifyhub.memory.models import MemoryEntry

# A finding that is too old to be told goes on cancelling constraints. So does what an
# answer found after a person had called the name invented: by its grade, which decides.
_STANDING = Q(state__in=(MemoryEntry.State.ACTIVE, MemoryEntry.State.EXPIRED)) | Q(
    state=MemoryEntry.State.SUPERSEDED, source=MemoryEntry.Source.VERIFICATION
)


def standing_findings(project: Project | Place) -> QuerySet[MemoryEntry]:
    """Return what showed names, but for answers sent with a revoked key."""
    revoked = Interaction.objects.filter(
        id=OuterRef("interaction_id"),
        project=project,
        api_key__revoked_at__isnull=False,
    )
    return MemoryEntry.objects.filter(
        _STANDING, project=project, kind=MemoryEntry.Kind.FINDING
    ).exclude(Exists(revoked), source=MemoryEntry.Source.VERIFICATION)
