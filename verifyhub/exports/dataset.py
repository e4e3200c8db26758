"""A dataset: the filtered rows of a table in a stable order."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import Model, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils.functional import Promise

from verifyhub.accounts.models import Project, Scope, User
from verifyhub.common.row_files import Row
from verifyhub.common.walk import after as behind
from verifyhub.common.walk import walk
from verifyhub.exports.answer_filters import matching_answers
from verifyhub.exports.schema import ColumnKind, ExportColumn
from verifyhub.ingest.output_store import ANSWERS, read_text
from verifyhub.review.answer_list.filters import FLAGGED
from verifyhub.review.models import ReviewItem
from verifyhub.verification.models import Verdict

# Where a walk stands: the values of its order at the last row, as JSON.
Place = list[Any]
WORSE = frozenset({Verdict.UNCERTAIN, Verdict.REJECT})
# Rows in which secrets are looked for at once: each time has a cost of its own.
MASKED_AT_ONCE = 50
CONVERSATIONAL, STANDARD = "conversational", "standard"
# Of a dataset whose rows are parts of a verification, in the order of its report.
OF_VERIFICATION: Mapping[str, Any] = {
    "order": ("verification__created_at", "verification_id", "index"),
    "made_at": "verification__created_at",
    "verdict": "verification__verdict",
    "answer": "verification__interaction_id",
    "item": "verification__review_item__id",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetFilters:
    """Filters of exported rows: created in [since, until), with a verdict, and so on.

    `since` and `until` are aware; None means no bound. An empty `verdict` means any;
    rows that have none of their own ignore it: it is among the filters of their answer
    as well, which has the newest one. `answers` and `queue` are the filters of the
    answer list and of the review queue, by their own names: rows of answers that pass
    both. `now` and `user` say what ages are measured from, and who `me` is.
    """

    since: datetime | None = None
    until: datetime | None = None
    verdict: str = ""
    answers: Mapping[str, Any] = field(default_factory=dict)
    queue: Mapping[str, Any] | None = None
    now: datetime | None = None
    user: User | None = None
    # Of training data: also what no person decided, and in which of two shapes.
    undecided: bool = False
    shape: str = CONVERSATIONAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """One export.

    Attributes:
        name: What the URL calls it.
        says: What a row is, for people.
        model: The table; every one has a `project`.
        columns: What a row holds.
        standard: The same of training data whose texts are no messages.
        secret: Paths of answers that must not be among the withheld; for rows that
            tell of no item by themselves.
        extra: Expressions that columns or `keep` name as if they were fields.
        order: Field paths that are unique together; the walk goes along them.
        made_at: Path of the time that `since` and `until` speak of.
        verdict: Path of a verdict of the row's own; empty where there is none.
        answer: Path of the id of the answer a row belongs to; empty for none.
        keep: Which of the project's rows it is made of.
        item: Path of the id of the review item that a row tells of; empty where it
            tells of none.
        undecided: Columns of a row whose item is withheld from the viewer, as they
            are before anybody decides; None leaves the row out.
        capability: What a person may who exports it.
        scope: What a key may that exports it.
        reads: Further paths that `made` gets, beside those of the columns.
        make_rows: From what was read, by path, to the rows that it makes.
        narrow: A further condition that the filters ask for.
        stored_answers: Paths of answers, each with the path of its key in the object
            store.
    """

    name: str
    says: Promise
    model: type[Model]
    columns: tuple[ExportColumn, ...]
    standard: tuple[ExportColumn, ...] = ()
    secret: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    order: tuple[str, ...] = ("created_at", "id")
    made_at: str = "created_at"
    verdict: str = ""
    answer: str = ""
    keep: Q = field(default_factory=Q)
    item: str = ""
    undecided: Mapping[str, str] | None = None
    capability: str = "metrics.export"
    scope: str = Scope.READ
    reads: tuple[str, ...] = ()
    make_rows: Callable[[Mapping[str, Any], DatasetFilters], Iterable[Row]] | None = (
        None
    )
    narrow: Callable[[DatasetFilters], Q] | None = None
    stored_answers: Mapping[str, str] = field(default_factory=dict)

    @property
    def resumes(self) -> bool:
        """Whether an export can resume after a row's own `id`."""
        return self.make_rows is None

    def columns_of(
        self, *, deep: bool, shape: str = CONVERSATIONAL
    ) -> tuple[ExportColumn, ...]:
        """Return the columns of a file; `deep` for all but CSV."""
        columns = self.columns if shape == CONVERSATIONAL else self.standard
        return tuple(
            column for column in columns or self.columns if deep or not column.deep
        )

    def rows(
        self,
        project: Project,
        filters: DatasetFilters,
        *,
        deep: bool,
        withheld: Collection[UUID] = (),
    ) -> Iterator[Row]:
        """Yield the rows of a project; see `places`."""
        for _, row in self.places(project, filters, deep=deep, withheld=withheld):
            yield row

    def places(
        self,
        project: Project,
        filters: DatasetFilters,
        *,
        deep: bool,
        withheld: Collection[UUID] = (),
        since: Place | None = None,
    ) -> Iterator[tuple[Place, Row]]:
        """Yield the rows of a project, each with its place.

        Secrets are masked, unless the project sends them out.

        Args:
            project: The tenant.
            filters: Which rows.
            deep: With the columns that CSV has not.
            withheld: Review items whose decisions whoever asks must not read
                (`review.visibility`).
            since: Begin behind this place.
        """
        rows = self._places(project, filters, withheld, deep=deep, since=since)
        masker = project.outgoing_masker
        if masker is None:
            yield from rows
            return
        while batch := list(islice(rows, MASKED_AT_ONCE)):
            masked = masker.document([row for _, row in batch]).document
            for (place, _), row in zip(batch, masked, strict=True):
                yield place, row

    def _places(
        self,
        project: Project,
        filters: DatasetFilters,
        withheld: Collection[UUID],
        *,
        deep: bool,
        since: Place | None,
    ) -> Iterator[tuple[Place, Row]]:
        rows = self._matching_rows(project, filters, withheld)
        if since is not None:
            rows = rows.filter(behind(self.order, since))
        columns = self.columns_of(deep=deep, shape=filters.shape)
        item = (self.item,) if self.item else ()
        own = columns if self.make_rows is None else ()
        more = (*self.reads, *item, *self.order, *self.stored_answers.values())
        reader = PathReader(own, more, raw=item)
        places, sources = (
            reader.at(self.order),
            reader.at([column.source for column in own]),
        )
        names = [column.name for column in columns]
        answers = [reader.at(pair) for pair in self.stored_answers.items()]
        extra = {**self.extra, **reader.extra}
        for found_values in walk(
            rows, order=self.order, columns=reader.columns, extra=extra
        ):
            values = reader.values(found_values)
            for text, digest in answers:
                if values[digest] is not None:
                    values[text] = read_text(ANSWERS, project.id, values[digest])
            place = [values[at] for at in places]
            if self.make_rows is not None:
                value_of = dict(zip(reader.paths, values, strict=True))
                for made_row in self.make_rows(value_of, filters):
                    yield place, {name: made_row[name] for name in names}
                continue
            row = dict(zip(names, [values[at] for at in sources], strict=True))
            row |= {
                column.name: column.worded(row[column.name])
                for column in own
                if column.worded
            }
            if self.undecided and values[reader.at(item)[0]] in withheld:
                row |= self.undecided
            yield place, row

    def count(
        self,
        project: Project,
        filters: DatasetFilters,
        *,
        withheld: Collection[UUID] = (),
    ) -> int:
        """Count the rows that are looked through."""
        return self._matching_rows(project, filters, withheld).count()

    def place_of(self, project: Project, identifier: UUID) -> Place | None:
        """Return the place of a row by the id that its column `id` shows."""
        rows = self.model._default_manager.filter(project=project, pk=identifier)
        values = rows.values_list(*self.order).first()
        return None if values is None else list(values)

    def _matching_rows(
        self, project: Project, filters: DatasetFilters, withheld: Collection[UUID]
    ) -> QuerySet[Any, Any]:
        conditions: dict[str, Any] = {"project": project}
        if above := self.made_at.rpartition("__")[0]:
            # The same, said of the table whose index has the order.
            conditions[f"{above}__project"] = project
        if filters.since:
            conditions[f"{self.made_at}__gte"] = filters.since
        if filters.until:
            conditions[f"{self.made_at}__lt"] = filters.until
        rows: QuerySet[Any, Any] = self.model._default_manager.annotate(**self.extra)
        matching_rows = rows.filter(self.keep, **conditions)
        if self.narrow is not None:
            matching_rows = matching_rows.filter(self.narrow(filters))
        if withheld and self.item and self.undecided is None:
            matching_rows = matching_rows.exclude(**{f"{self.item}__in": withheld})
        if withheld and self.secret:
            items = ReviewItem.objects.filter(pk__in=withheld)
            answers = list(items.values_list("interaction_id", flat=True))
            for path in self.secret:
                matching_rows = matching_rows.exclude(**{f"{path}__in": answers})
        if filters.verdict and self.verdict:
            # Through a subquery: a join would repeat a row for each verification.
            verdicts = (
                WORSE if filters.verdict == FLAGGED else frozenset({filters.verdict})
            )
            matching = self.model._default_manager.filter(
                project=project, **{f"{self.verdict}__in": verdicts}
            )
            matching_rows = matching_rows.filter(pk__in=matching.values("pk"))
        if self.answer and (filters.answers or filters.queue is not None):
            matched = matching_answers(
                project,
                filters.answers,
                filters.queue,
                now=filters.now,
                user=filters.user,
                withheld=withheld,
            )
            matching_rows = matching_rows.filter(
                **{f"{self.answer}__in": matched.values("pk")}
            )
        return matching_rows


# What a walk reads of each row, and how it becomes the values of a file.
#
# Keys and times come from the database as text: a file wants keys so, and Python parses
# times many times faster than the driver does with a class for each.
class PathReader:
    """Reads each path once.

    Attributes:
        paths: The paths.
        columns: What a query is asked for, one of each path.
        extra: Expressions that `columns` names.
    """

    def __init__(
        self,
        columns: Sequence[ExportColumn],
        more: Sequence[str],
        *,
        raw: Collection[str] = (),
    ) -> None:
        """Read the sources of `columns` and `more`; `raw` as the database has them."""
        kinds = {
            column.source: column.kind for column in columns if column.source not in raw
        }
        sources = (column.source for column in columns)
        self.paths = tuple(dict.fromkeys((*sources, *more)))
        self.columns: list[str] = []
        self.extra: dict[str, Any] = {}
        self._moments: list[int] = []
        for at, path in enumerate(self.paths):
            kind = kinds.get(path)
            if kind not in {ColumnKind.ID, ColumnKind.MOMENT}:
                self.columns.append(path)
                continue
            name = f"text_{at}"
            self.columns.append(name)
            self.extra[name] = Cast(path, TextField())
            if kind is ColumnKind.MOMENT:
                self._moments.append(at)

    def at(self, paths: Sequence[str]) -> list[int]:
        """Return the positions of the values of some paths."""
        return [self.paths.index(path) for path in paths]

    def values(self, values_found: Sequence[Any]) -> list[Any]:
        """Return the values of a row that a query found, in the order of the paths."""
        values = list(values_found)
        for at in self._moments:
            if values[at] is not None:
                # The connection's zone is UTC.
                values[at] = datetime.fromisoformat(values[at])
        return values
