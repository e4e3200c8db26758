"""Stream a dataset as the bytes of a download."""

from collections.abc import Iterator

from verifyhub.accounts.models import Project, User
from verifyhub.exports.dataset import Dataset, DatasetFilters, Place
from verifyhub.exports.writing import FileFormat, encoded
from verifyhub.review.visibility import withheld_items


def stream(
    dataset: Dataset,
    written_as: FileFormat,
    *,
    project: Project,
    filters: DatasetFilters,
    viewer: User | None = None,
    since: Place | None = None,
) -> Iterator[bytes]:
    """Write a project's rows, lazily: a piece is made when it is asked for.

    Args:
        dataset: What is exported.
        written_as: How.
        project: The tenant.
        filters: Which rows.
        viewer: Who asks, None for a program: gold is undecided to whom it may measure.
        since: Go on behind this place; CSV then has no header.
    """
    deep = written_as.is_deep
    places = dataset.places(
        project,
        filters,
        deep=deep,
        withheld=withheld_items(project.id, viewer),
        since=since,
    )
    return encoded(
        written_as,
        dataset.columns_of(deep=deep, shape=filters.shape),
        (row for _, row in places),
        header=since is None,
    )
