"""The filters of exports, as the API describes and reads them."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from verifyhub.exports.filter_form import ExportFilterForm, shape_of

SAYS = {
    "since": "Rows made from then on; a date, or a date with a time. Naive ones: UTC.",
    "until": "Rows made before.",
    "verdict": "The machine's newest; `flagged` is uncertain or reject.",
    "text": "Task or answer has it, or it is the answer's own id.",
    "agent": "The name of the agent.",
    "state": "Of the newest verification.",
    "review": "Whether a person has still to decide.",
    "reason": "Why the answer is in the queue.",
    "kind": "What is flagged in it.",
    "risk": "How likely it misleads.",
    "assignee": "A user name, or `none`.",
    "age": "Hours in the queue: `-24` for at most, `+24` for more than.",
    "due": "`overdue`: its time is over.",
    "undecided": "Training data: also what no person decided.",
    "shape": "Training data: texts as messages, or as plain text.",
}


def described() -> list[OpenApiParameter]:
    """Describe every filter, with the values it takes."""
    form = ExportFilterForm()
    found = []
    for name, field in form.fields.items():
        shape = shape_of(field)
        words = shape.pop("enum", None)
        kind = OpenApiTypes.BOOL if name == "undecided" else shape
        found.append(
            OpenApiParameter(name, kind, enum=words, description=SAYS.get(name, ""))
        )
    return found


def read(request: Request, *, besides: frozenset[str]) -> ExportFilterForm:
    """Return the filters of a request.

    Args:
        request: What was asked.
        besides: Parameters that are no filters.

    Raises:
        ValidationError: If one is wrong or unknown; it is named.
    """
    form = ExportFilterForm(request.query_params)
    errors = {name: [str(one) for one in says] for name, says in form.errors.items()}
    for name in set(request.query_params) - set(form.fields) - besides:
        errors[name] = ["There is no such parameter."]
    if errors:
        raise ValidationError(errors)
    return form
