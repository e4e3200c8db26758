"""However many rows there are, and however large: only some are held at once."""

import gc
import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.factories import InteractionFactory
from verifyhub.common import walk as walking
from verifyhub.common.walk import walk
from verifyhub.exports import parquet as parquet_file
from verifyhub.exports.schema import ColumnKind, ExportColumn
from verifyhub.exports.writing import FileFormat, encoded
from verifyhub.ingest.models import Interaction

MEGABYTE = 1024 * 1024
COLUMNS = (
    ExportColumn("text", ColumnKind.TEXT),
    ExportColumn("free", ColumnKind.JSON),
    ExportColumn("said", ColumnKind.MESSAGES),
)


def row(size):
    third = "x" * (size // 3)
    said = [{"role": "user", "content": third}]
    return {"text": third, "free": {"of any": third}, "said": said}


@pytest.fixture
def held():
    """How much Arrow holds beyond what it held before, at its most."""
    most, before = [0], pa.total_allocated_bytes()

    def asked():
        most[0] = max(most[0], pa.total_allocated_bytes() - before)
        return most[0]

    return asked


def parquet(rows, held):
    pieces = []
    for piece in encoded(FileFormat.PARQUET, COLUMNS, rows):
        held()
        pieces.append(piece)
    return pq.ParquetFile(io.BytesIO(b"".join(pieces)))


@pytest.mark.parametrize(
    ("count", "size"), [(30, MEGABYTE), (3_000, 10_000), (45_000, 30)]
)
def test_a_row_group_ends_by_its_bytes_and_by_its_rows(held, count, size):
    def rows():
        for _ in range(count):
            held()
            yield row(size)

    found = parquet(rows(), held)

    groups = [found.metadata.row_group(at) for at in range(found.num_row_groups)]
    assert sum(one.num_rows for one in groups) == count
    assert len(groups) > 1
    # The batch that fills a group may exceed it, by a row at most.
    most = parquet_file.GROUP_BYTES + parquet_file.BATCH_BYTES + MEGABYTE
    assert all(
        one.num_rows < parquet_file.GROUP_ROWS + parquet_file.BATCH_ROWS
        for one in groups
    )
    assert all(one.total_byte_size < most for one in groups)
    assert held() < 2 * most


def test_a_row_larger_than_a_group_is_one(held):
    found = parquet((row(parquet_file.GROUP_BYTES * 2) for _ in range(3)), held)

    assert found.num_row_groups == 3
    assert found.read().num_rows == 3


def test_what_a_group_took_is_given_back():
    # What earlier tests read goes first.
    gc.collect()
    before = pa.total_allocated_bytes()

    for _ in encoded(FileFormat.PARQUET, COLUMNS, (row(MEGABYTE) for _ in range(30))):
        pass

    gc.collect()
    assert pa.total_allocated_bytes() <= before


@pytest.mark.parametrize("written_as", list(FileFormat))
def test_a_piece_of_a_file_is_no_larger_than_some_rows(written_as):
    columns = COLUMNS[:2]

    pieces = encoded(written_as, columns, (row(MEGABYTE) for _ in range(30)))

    assert max(map(len, pieces)) < 4 * MEGABYTE


def test_few_large_rows_are_read_at_once(
    project, monkeypatch, django_assert_num_queries
):
    monkeypatch.setattr(walking, "BATCH_BYTES", 100_000)
    made = InteractionFactory.create_batch(6, project=project, answer="x" * 40_000)
    rows = Interaction.objects.filter(project=project)

    # One finds the keys; each of the others reads two rows, 40,000 bytes each.
    with django_assert_num_queries(1 + 3 + 1):
        walked = list(
            walk(rows, order=("created_at", "id"), columns=("id", "answer_text"))
        )

    assert [one for one, _ in walked] == [one.id for one in made]


def test_json_counts_as_well_as_texts(project, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(walking, "BATCH_BYTES", 10_000)
    InteractionFactory.create_batch(
        4, project=project, metadata={"n": list(range(999))}
    )
    rows = Interaction.objects.filter(project=project)

    with django_assert_num_queries(1 + 4 + 1):
        list(walk(rows, order=("created_at", "id"), columns=("id", "metadata")))


def test_rows_that_are_deleted_meanwhile_are_left_out(project):
    made = InteractionFactory.create_batch(4, project=project)
    rows = Interaction.objects.filter(project=project)
    walked = walk(rows, order=("created_at", "id"), columns=("id",), size=2)

    first = next(walked)
    Interaction.objects.filter(pk=made[2].pk).delete()

    assert [first, *walked] == [(made[at].id,) for at in (0, 1, 3)]
