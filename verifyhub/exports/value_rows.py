"""Rows of values in answers, with people's decisions."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import JSONField, OuterRef, Q
from django.db.models.functions import Cast, JSONObject
from django.utils.translation import gettext_lazy as _

from verifyhub.common.row_files import Row
from verifyhub.exports.dataset import Dataset, DatasetFilters
from verifyhub.exports.schema import (
    ColumnKind,
    ExportColumn,
    free,
    ids,
    integers,
    moments,
    text,
)
from verifyhub.review.models import Override
from verifyhub.verification.models import Verification
from verifyhub.verification.models.report_field import part_of

_SHOWN = ("text", "kind", "status", "reason", "note")


def _values(values: Mapping[str, Any], _filters: DatasetFilters) -> Iterator[Row]:
    # The last decision on a value applies.
    statuses = {entry["index"]: entry["status"] for entry in values["said"] or []}
    for index, value in enumerate(part_of(values["stored"], "values") or []):
        evidence = value.get("evidence") or []
        first = evidence[0] if evidence else {}
        start, end = (value.get("spans") or [(None, None)])[0]
        yield {
            "interaction_id": str(values["interaction_id"]),
            "client_id": values["interaction__client_id"],
            "number": values["number"],
            "index": index,
            **{name: value.get(name) or "" for name in _SHOWN},
            "start": start,
            "end": end,
            "grade": value.get("grade") or "",
            "human_status": statuses.get(index, ""),
            "evidence_call": first.get("call"),
            "evidence_path": first.get("path") or "",
            "evidence_text": first.get("text") or "",
            "evidence_record": first.get("record") or "",
            "created_at": values["created_at"],
            "verification_id": str(values["id"]),
            "evidence": evidence,
        }


VALUES = Dataset(
    name="values",
    says=_("every value in an answer, checked against the trace"),
    model=Verification,
    columns=(
        *ids("interaction_id"),
        *text("client_id"),
        *integers("number", "index"),
        *text("text", "kind"),
        *integers("start", "end"),
        *text("status", "reason", "grade"),
        ExportColumn("human_status", ColumnKind.TEXT, says="right or wrong"),
        *text("note"),
        ExportColumn(
            "evidence_call",
            ColumnKind.INTEGER,
            says="position of the tool call, from 0; -1 for the answer itself",
        ),
        *text("evidence_path", "evidence_text"),
        ExportColumn(
            "evidence_record", ColumnKind.TEXT, says="id of the record it stands in"
        ),
        *moments("created_at"),
        *ids("verification_id"),
        *free("evidence", deep=True),
    ),
    extra={
        "stored": Cast("report", JSONField()),
        "said": ArraySubquery(
            Override.objects.filter(
                item__verification=OuterRef("pk"),
                target=Override.Target.VALUE,
                undone_at=None,
            )
            .order_by("created_at", "id")
            .values(json=JSONObject(index="subject__index", status="after"))
        ),
    },
    keep=Q(state=Verification.State.FINISHED),
    verdict="verdict",
    answer="interaction_id",
    item="review_item__id",
    reads=(
        *("interaction_id", "interaction__client_id", "number", "stored"),
        *("said", "created_at", "id"),
    ),
    make_rows=_values,
)
