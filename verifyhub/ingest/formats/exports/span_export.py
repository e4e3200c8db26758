"""A whole export as a transcript: its traces become interactions, as over OTLP."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from verifyhub.common.contract import FormatError
from verifyhub.ingest.formats.base import (
    Note,
    Transcript,
    TranscriptDocument,
    share_of,
)
from verifyhub.ingest.formats.exports.langfuse import LANGFUSE
from verifyhub.ingest.formats.exports.phoenix import PHOENIX
from verifyhub.ingest.formats.exports.rows import RowReader
from verifyhub.ingest.formats.otlp.span import Span
from verifyhub.ingest.formats.otlp.understanding import Understanding, understand

ROW_READERS = (LANGFUSE, PHOENIX)
SURE = 0.95
MAX_SPANS = 200_000


class SpanExport:
    """The format of an export whose rows are spans, or contain them."""

    def __init__(self, reader: RowReader) -> None:
        self.name, self.about, self._reader = reader.name, reader.about, reader

    def recognises(self, document: TranscriptDocument) -> float:
        """Return the confidence that this tool wrote the rows of a document."""
        rows = document.value if _is_rows(document) else [document.value]
        return SURE * share_of(rows, self._reader.recognises)

    def read(self, document: TranscriptDocument) -> Transcript:
        """Read all traces of a document.

        Raises:
            FormatError: If no row is a span.
        """
        traces: dict[str, list[Span]] = defaultdict(list)
        notes: Counter[str] = Counter()
        first: dict[str, str] = {}
        count = 0
        for place, row in _rows(document):
            try:
                row_spans = self._reader.spans(row) if isinstance(row, dict) else []
            except FormatError as error:
                kind = f"unreadable: {error.message}"
                notes[kind] += 1
                first.setdefault(kind, place)
                continue
            for span in row_spans:
                traces[span.trace_id].append(span)
            count += len(row_spans)
            if count > MAX_SPANS:
                raise FormatError(place, f"is past the {MAX_SPANS}th span.")
        if not count:
            raise FormatError("", "contains no valid span.")
        return self._transcript(
            [understand(spans) for spans in traces.values()],
            [Note(kind=k, count=n, first=first[k]) for k, n in notes.items()],
        )

    def _transcript(
        self, understood: list[Understanding], notes: list[Note]
    ) -> Transcript:
        runs = [
            run.interaction
            for understanding in understood
            for run in understanding.runs
        ]
        unmapped: Counter[str] = Counter()
        for understanding in understood:
            for kind, counts in understanding.not_mapped.items():
                for name, times in counts.items():
                    unmapped[f"{kind[:-1]} {name}"] += times
        calls = [call for run in runs for call in run.tool_calls]
        notes += [
            Note(kind=kind, count=times, first="")
            for kind, times in sorted(unmapped.items())
        ]
        return Transcript(
            format=self.name,
            interactions=tuple(runs),
            notes=tuple(notes),
            turns=len(understood),
            calls=len(calls),
            outputs=sum(bool(call.output) for call in calls),
        )


def row_reader(value: Any) -> RowReader | None:
    """Return the reader of the tool that wrote a row; None if it is unknown."""
    return next((reader for reader in ROW_READERS if reader.recognises(value)), None)


def _is_rows(document: TranscriptDocument) -> bool:
    return isinstance(document.value, list)


def _rows(document: TranscriptDocument) -> Iterator[tuple[str, Any]]:
    if _is_rows(document):
        yield from document.items()
    else:
        yield "", document.value
