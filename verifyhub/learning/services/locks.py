"""A lock that serialises changes of one project's calibrations."""

from verifyhub.accounts.models import Project


def lock_project(project: Project) -> None:
    """Lock a project against concurrent changes; new runs are not blocked."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
