"""The column of a report, stored without its default values."""

from base64 import b85decode, b85encode
from collections.abc import Mapping
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.expressions import Expression
from django.db.models.fields.json import KeyTransform

from verifyhub.common.contract import FormatError, reader_of
from verifyhub.common.packing import packed_json, unpacked_json
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.verification.models.usual_report import USUAL_REPORT

# Marks a document without default values, of a former version.
LEAN = "lean"
# Contains the document without default values, compressed; beside it is what queries
# read.
PACKED = "packed"
# The parts that queries read (`metrics.counting`, `review.answer_list.report_filters`,
# `review.support`, `review.decide.likeness`).
READ: Mapping[str, Any] = {
    "checks": {
        "name": {},
        "outcome": {},
        "details": {
            "duration_ms": {},
            "errors_by_category": {},
            "errors": {"category": {}},
            "settled": {},
            "supported": {},
        },
    },
    "completion_claims": {"kind": {}, "status": {}},
    "goal": {"state": {}},
    "values": {"kind": {}, "status": {}},
    "warnings": {"code": {}},
}


class ReportField(models.JSONField):
    """Stores a verdict object compressed, without default values, and restores it.

    So the defaults of `VerificationReport` and of its parts may never change. Queries
    see the stored document: what they may use beside the compressed one is in `READ`. A
    report that would not be restored exactly, such as one of an earlier version, is
    stored whole.
    """

    def get_db_prep_value(
        self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False
    ) -> Any:
        """Remove default values from a verdict object, or from its document."""
        if isinstance(value, VerificationReport):
            value = _packed(value)
        elif isinstance(value, dict):
            value = _lean(value)
        return super().get_db_prep_value(value, connection, prepared)

    def from_db_value(
        self, value: Any, expression: Expression, connection: BaseDatabaseWrapper
    ) -> Any:
        """Restore default values, except in parts that a query selected."""
        document = super().from_db_value(value, expression, connection)
        if isinstance(expression, KeyTransform) or not isinstance(document, dict):
            return document
        if LEAN not in document and PACKED not in document:
            return document
        return VerificationReport.from_dict(_unpacked(document)).as_dict()


def part_of(stored: Mapping[str, Any], name: str) -> Any:
    """Return a part of a stored document without its default values; None without it.

    Args:
        stored: The document as the database has it: `Cast("report", JSONField())`.
        name: The field of `VerificationReport`.
    """
    return _unpacked(stored).get(name)


def _unpacked(stored: Mapping[str, Any]) -> Mapping[str, Any]:
    if PACKED not in stored:
        return stored
    document: Mapping[str, Any] = unpacked_json(b85decode(stored[PACKED]), USUAL_REPORT)
    return document


def _lean(document: dict[str, Any]) -> dict[str, Any]:
    reader = reader_of(VerificationReport)
    try:
        report = reader.read(document)
    except FormatError:
        return document
    if reader.write(report) != document:
        return document
    return _packed(report)


def _packed(report: VerificationReport) -> dict[str, Any]:
    document = reader_of(VerificationReport).write(report, defaults=False)
    packed = b85encode(packed_json(document, USUAL_REPORT)).decode()
    return {**_read(document, READ), PACKED: packed}


def _read(document: Mapping[str, Any], names: Mapping[str, Any]) -> dict[str, Any]:
    """Return the named parts of a document; an empty object names a whole value."""
    read = {
        name: _each(document[name], inside) if inside else document[name]
        for name, inside in names.items()
        if name in document
    }
    return {name: value for name, value in read.items() if value != {}}


def _each(value: Any, names: Mapping[str, Any]) -> Any:
    if isinstance(value, list):
        return [_each(one, names) for one in value]
    return _read(value, names) if isinstance(value, dict) else value
