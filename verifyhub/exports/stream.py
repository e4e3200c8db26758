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
    """Yield a project's rows as bytes, lazily.

    Args:
        dataset: The dataset.
        written_as: The format.
        project: The tenant.
        filters: The filters.
        viewer: The person, None for a program: their gold is shown as undecided.
        since: Continue after this position; CSV then has no header.
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
