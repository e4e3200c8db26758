"""A lock that serialises changes of one project's calibrations."""

from verifyhub.accounts.models import Project


def lock_project(project: Project) -> None:
    """Wait for other acts on the project; runs that name it go on meanwhile."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
