"""What is stored as a code, or raised with one, is said in the reader's language."""

import pytest
from django.urls import reverse
from django.utils.translation import override

from tests.conftest import member
from tests.review.conftest import send
from verifyhub.accounts.fault_words import fault_words
from verifyhub.accounts.models import Role
from verifyhub.common.egress_words import EGRESS_WORDS
from verifyhub.egress.errors import MESSAGES
from verifyhub.engine.faults import Fault
from verifyhub.engine.reports import ReportWarning
from verifyhub.engine.warning_codes import WarningCode
from verifyhub.memory.models import MemoryEntry
from verifyhub.memory.warning_words import WARNING_WORDS, entry_words, warning_words
from verifyhub.review.errors import DecisionInvalidError

# What a model says itself, and three judges that can be misled.
OWN_WORDS = {
    WarningCode.CONTRADICTION,
    WarningCode.VERIFIER_REMARK,
    WarningCode.JUDGE_MISLED,
}


def test_every_warning_has_words_but_those_that_a_model_gives():
    technical = {code for code in WarningCode if code.startswith("REPLY_")}

    assert set(WarningCode) - set(WARNING_WORDS) == OWN_WORDS | technical


@pytest.mark.django_db
def test_words_of_warnings_are_the_engines_in_english_and_others_elsewhere(project):
    answer = "All 12 tests pass. See `no_such()` in `shop/no.py` and `shop/pricіng.py`."
    interaction = send(project, answer=answer)
    warnings = interaction.verifications.get().verdict_object.warnings

    assert {warning.code for warning in warnings} >= {
        "UNVERIFIED_FILE",
        "UNVERIFIED_FUNCTION",
        "LOOK_ALIKE_NAME",
    }
    for warning in warnings:
        assert warning_words(warning) == warning.message
        with override("fr"):
            assert warning_words(warning) != warning.message


def test_a_warning_of_old_that_lacks_a_detail_is_shown_as_it_is_stored():
    old = ReportWarning(
        code="LOOK_ALIKE_NAME", message="As it was told then.", details={"text": "x"}
    )

    with override("fr"):
        assert warning_words(old) == "As it was told then."


def test_an_entry_that_a_lead_edited_keeps_the_leads_words():
    said = "The trace has a signature that does not match it."
    entry = MemoryEntry(
        check_name="TRACE_SIGNATURE_INVALID", text=f"TRACE_SIGNATURE_INVALID: {said}"
    )
    with override("fr"):
        assert "signature qui ne lui correspond pas" in entry_words(entry)
        entry.text = "Sign it anew."
        assert entry_words(entry) == "Sign it anew."
        entry.text = "TRACE_SIGNATURE_INVALID: Sign it anew."
        assert entry_words(entry) == "TRACE_SIGNATURE_INVALID: Sign it anew."


def test_an_entry_on_low_confidence_says_the_figure():
    entry = MemoryEntry(
        check_name="LOW_CONFIDENCE", text="LOW_CONFIDENCE: Confidence is 0.50."
    )
    with override("fr"):
        assert entry_words(entry) == entry.text
        entry.confidence = 0.5
        assert "0.50" in entry_words(entry) != entry.text


def test_a_fault_is_worded_with_what_it_names():
    inner = Fault("out_of_range")
    fault = Fault(
        "threshold_unusable", field="thresholds", name="x", value="9", fault=inner
    )

    assert fault_words(fault) == fault == "thresholds: x: 9 is out of range"
    with override("fr"):
        assert fault_words(fault) == f"thresholds: x : 9 {fault_words(inner)}"
        assert fault_words(inner) != inner


def test_a_refused_decision_names_its_field_in_the_readers_language():
    error = DecisionInvalidError("at most %(n)s characters", field="note", n=5)

    assert error.sentence == "Note: at most 5 characters."
    assert str(error) == "note: at most 5 characters"


def test_every_reason_of_a_request_that_failed_has_words():
    assert {code: str(said) for code, said in EGRESS_WORDS.items()} == MESSAGES


@pytest.mark.django_db
def test_a_form_says_in_the_readers_language_why_it_is_refused(client, project):
    client.force_login(member(project, Role.ADMIN))
    address = reverse("memory:tool-rules", args=[project.slug])

    page = client.post(
        address, {"rules": "a* read"}, headers={"accept-language": "ru"}
    ).content.decode()

    assert "звёздочка" in page.lower()
    assert "a star may only" not in page
