"""Every real run of the shared data, from the parser through the queue to a report."""

import json
from pathlib import Path

import pytest

from verifyhub.ingest.formats.native import parse_interaction, without_unknown
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.selectors import to_engine
from verifyhub.ingest.services import record_interaction
from verifyhub.verification.models import Verification
from verifyhub.verification.services import run_verification

DATA = Path(__file__).parents[2].parent / "shared/data/mentions_dev.jsonl"


# The others in the deep layer.
@pytest.mark.skipif(not DATA.exists(), reason="the real runs are not here")
@pytest.mark.parametrize(
    "some", [slice(0, None, 5), pytest.param(slice(None), marks=pytest.mark.deep)]
)
def test_every_real_run_is_stored_whole_and_verified(project, some):
    with DATA.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines][some]

    for record in records:
        sent = parse_interaction(without_unknown(record)[0])
        row, _ = record_interaction(project=project, api_key=None, interaction=sent)
        assert to_engine(Interaction.objects.get(pk=row.pk)) == sent
        assert run_verification(verification_id=row.verifications.get().id)

    states = Verification.objects.values_list("state", flat=True)
    assert list(states) == ["finished"] * len(records)
