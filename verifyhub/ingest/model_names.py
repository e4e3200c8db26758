"""The model of an answer, as an expression with an index."""

from django.db.models import Case, F, Func, Q, TextField, Value, When
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Left, Length
from django.db.models.lookups import Exact, GreaterThan

MAX_MODEL = 200


def model_named(prefix: str) -> Case:
    """Return the agent's model from the run's metadata, or else its tier.

    Args:
        prefix: The path to the interaction, such as `interaction__`; empty if the rows
            are interactions.
    """
    column = f"{prefix}metadata"
    name = KeyTextTransform("model", column)
    kind = Func(
        KeyTransform("model", column),
        function="jsonb_typeof",
        output_field=TextField(),
    )
    return Case(
        When(
            Q(GreaterThan(Length(name), 0)) & Q(Exact(kind, Value("string"))),
            then=Left(name, MAX_MODEL),
        ),
        default=F(f"{prefix}agent_tier"),
        output_field=TextField(),
    )
