from tests.builders import verify
from tests.memory.reports import mention, report
from verifyhub.engine.memory.distill import MAX_KEY_LENGTH, distill
from verifyhub.engine.memory.entries import EntryKind
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.types import Interaction, ToolCall


def learn(*mentions, **fields):
    return distill(
        report(*mentions, **fields), subject="run-1", thresholds=Thresholds()
    )


def test_a_verified_name_is_a_finding_with_the_verdicts_confidence():
    (entry,) = learn(mention("mind-engine", status="verified"), confidence=0.83)

    assert (entry.kind, entry.confidence) == (EntryKind.FINDING, 0.83)
    assert entry.key == "verified-run-1-package-mind-engine"


def test_an_unverified_name_is_a_blocker_with_its_suggestion():
    (entry,) = learn(mention("mind-auth", suggestion="mind-engine"))

    assert (entry.kind, entry.suggestion) == (EntryKind.BLOCKER, "mind-engine")
    assert entry.key == "unverified-run-1-package-mind-auth"


def test_a_file_is_told_without_the_lines_that_an_answer_pointed_at():
    (entry,) = learn(
        {**mention("src/deploy.ts:16", kind="file"), "key": "src/deploy.ts"}
    )

    assert (entry.text, entry.mention_key) == ("src/deploy.ts", "src/deploy.ts")


def test_a_name_that_does_not_count_teaches_nothing():
    assert learn(mention("mind-auth", reason="proposed")) == ()


def test_low_confidence_is_one_blocker():
    (entry,) = learn(confidence=0.49)

    assert (entry.key, entry.kind) == ("low-conf-run-1", EntryKind.BLOCKER)


def test_confidence_at_the_cut_off_and_unknown_confidence_are_not_low():
    assert learn(confidence=0.5) == ()
    assert learn(confidence=None) == ()


def test_gaps_keep_a_low_confidence_of_their_own():
    (entry,) = learn(gaps=["no test was run"])

    assert (entry.kind, entry.confidence) == (EntryKind.GAP, 0.3)
    assert entry.key.startswith("gaps-run-1-")


def test_warnings_are_blockers():
    warning = {"code": "NOTHING_TO_CHECK", "message": "Nothing named.", "details": {}}

    (entry,) = learn(warnings=[warning])

    assert (entry.kind, entry.text) == (
        EntryKind.BLOCKER,
        "NOTHING_TO_CHECK: Nothing named.",
    )


def test_a_warning_about_a_name_is_not_told_beside_the_name():
    warning = {"code": "UNVERIFIED_PACKAGE", "message": "mind-auth", "details": {}}

    (entry,) = learn(mention("mind-auth"), warnings=[warning])

    assert entry.text == "mind-auth"


def test_a_contradicted_claim_is_a_blocker():
    claim = {
        "text": "All tests pass.",
        "span": [0, 15],
        "kind": "tests",
        "status": "contradicted",
    }

    (entry,) = learn(completion_claims=[claim, {**claim, "status": "supported"}])

    assert entry.key.startswith("contradicted-run-1-tests-")


def test_long_names_keep_different_keys_within_the_length():
    long = "x" * 600

    first, second = learn(mention(long + "a"), mention(long + "b"))

    assert first.key != second.key
    assert max(len(first.key), len(second.key)) <= MAX_KEY_LENGTH


def test_the_engines_own_report_can_be_distilled():
    run = Interaction(
        task="Where is the parser?",
        answer="It is in `src/parser.py`, beside `src/lexer_v9.py`.",
        tool_calls=(ToolCall(index=0, tool="Glob", output="src/parser.py"),),
    )

    entries = distill(verify(run), subject="run-1", thresholds=Thresholds())

    kinds = {entry.text: entry.kind for entry in entries if entry.mention_key}
    assert kinds == {
        "src/parser.py": EntryKind.FINDING,
        "src/lexer_v9.py": EntryKind.BLOCKER,
    }
