"""Reads of API keys."""

from uuid import UUID

from django.db.models import F, QuerySet

from verifyhub.accounts.models import ApiKey


def api_keys(project_id: UUID) -> QuerySet[ApiKey]:
    """Keys of a project, those that work first, newest first."""
    return (
        ApiKey.objects.filter(project_id=project_id)
        .select_related("created_by")
        .order_by(F("revoked_at").desc(nulls_first=True), "-created_at", "id")
    )
