"""Texts for the codes of a report."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from verifyhub.common.layer_words import LAYERS
from verifyhub.engine.decisions import reason_words
from verifyhub.engine.decisions.policy import DecisionReason
from verifyhub.engine.reports import Action, Verdict
from verifyhub.engine.verdicts import VerificationReport

# The engine has no translations: its English sentences are the message ids.
CHECK_REASONS = {code: _(said) for code, said in reason_words.CHECK_REASONS.items()}

MENTION_REASONS = {
    "found": _("Found in tool output."),
    "found_resolved": _("Found in tool output, under a longer or shorter name."),
    "written": _("Written by the agent in this run, and the write succeeded."),
    "not_found": _("No tool returned this name in this run."),
    "wrong_directory": _("A file of this name exists, but in another directory."),
    "wrong_extension": _("A file of this name exists, but with another extension."),
    "case_differs": _("The trace has this name in a different case."),
    "look_alike": _("Letters of another alphabet imitate a name in the trace."),
    "near_miss": _("The trace has a name that differs by a few letters."),
    "found_earlier": _("Found in tool output of an earlier answer, not in this run."),
    "told_verified": _("Memory gave the agent this name as verified."),
    "stale": _("Seen for an earlier answer, and changed or deleted since; ignored."),
    "found_in_files": _("VerifyHub found this file in the project's own folder."),
    "grade_too_low": _("Found, but this project requires better evidence."),
    "input_only": _("Found only in tool input that the agent wrote."),
    "error_only": _("Named only where a tool reported that it does not exist."),
    "self_written": _("Read back from a file that the agent wrote itself."),
    "authored": _("Written by the agent in this run; ignored."),
    "task_only": _("Named only in the user's task; ignored."),
    "quoted_task": _("Quoted from the user's task; ignored."),
    "proposed": _("Proposed as something new; ignored."),
    "hypothetical": _("An example; ignored."),
    "negated": _("Described as missing; ignored."),
    "common_knowledge": _("Part of a language, protocol or tool; ignored."),
    "trace_cut": _(
        "No tool returned it in the rest of the trace, much of which was cut; ignored."
    ),
    "plain_words": _("Probably plain words, not a name; ignored."),
    "cross_tier": _("A stronger model says that the trace does not support it."),
}
# Missing parts of a goal found by the ledger, by the claim that it denies.
DENIED_WORK = {
    "contradicted": _("The tool calls show otherwise: %(claim)s"),
    "unattempted": _("No tool call did this: %(claim)s"),
}
DO_OR_SAY = _("Do this work, or say that it was not done.")
GRADES = {
    "A": _("checked by VerifyHub directly"),
    "B": _("signed by a tool gateway"),
    "C": _("a tool's output, as the agent reported it"),
    "D": _("the agent's own words, which prove nothing"),
}
RELATIONS = {
    "attempt": _("Shown to an earlier attempt"),
    "parent": _("Shown to an answer that this one follows"),
    "subtask": _("Shown to a subtask"),
    "session": _("Shown earlier in the session"),
    "memory": _("From memory"),
}
CLAIM_STATUSES = {
    "supported": _("The trace shows this work with a good result."),
    "contradicted": _("The trace shows the opposite."),
    "unattempted": _("No tool call of this run did this work."),
    "unchecked": _("The trace is inconclusive."),
}
VALUE_STATUSES = {
    "supported": _("from a tool"),
    "derived": _("calculated"),
    "user_said": _("from the user"),
    "policy": _("from the policy"),
    "unsupported": _("unsupported"),
    "unchecked": _("not checked"),
}
VALUE_REASONS = {
    "found": _("Found exactly as the answer writes it."),
    "other_form": _("Found in another form."),
    "calculated": _("Derived from other values."),
    "not_found": _("No tool, user or policy states it, and it cannot be derived."),
    "failed_call": _("Found only in a failed call."),
    "other_record": _("It belongs to another record."),
    "other_field": _("It is in another field of the record."),
    "replaced": _("A later call changed it."),
    "other_currency": _("The amount has another currency in the run."),
    "other_count": _("The tools show a different number of them."),
    "other_weekday": _("The date falls on another day of the week."),
    "input_only": _("Found only in tool input that the agent wrote."),
    "open": _("The run does not say."),
}
NEARNESS = {
    "wrong_directory": _("in another directory"),
    "wrong_extension": _("with another extension"),
    "case_differs": _("in a different case"),
    "look_alike": _("in letters of one alphabet"),
    "near_miss": _("a few letters apart"),
}
CLAIM_BADGES = {
    "supported": _("supported"),
    "contradicted": _("contradicted"),
    "unattempted": _("no evidence of execution"),
    "unchecked": _("unchecked"),
}
STATUS_BADGES = {
    "verified": _("verified"),
    "unverified": _("unverified"),
    **CLAIM_BADGES,
}
FIRST_BAD_STEPS = {
    "result_denied": _("its result contradicts a claim of the answer"),
    "name_absent": _("it reported that a name used in the answer does not exist"),
    "name_unseen": _(
        "a name of the answer was first written into it, without evidence"
    ),
    "name_invented": _("a name appears in no call"),
    "work_not_done": _("no call did the work that is claimed"),
}
ACTIONS = {
    "accept": _("No retry is requested."),
    "uncertain": _("No retry is requested; a person should review the answer."),
    "retry": _("The agent should retry with the context below."),
    "reformulate": _("The agent should reformulate the task."),
    "follow_up": _("The agent should close the gaps below."),
    "clarify": _("The agent should clear up what contradicts the evidence or itself."),
    "fail": _("The agent should stop: no attempts are left."),
}
# Reasons, worded to follow the action.
DECISION_REASONS = {
    "level_1_structure_failed": _("its work report has an invalid structure"),
    "level_2_schema_failed": _("a tool's output does not fit its schema"),
    "level_3_filesystem_failed": _("a claim about files or commands is false"),
    "repeated_invention": _("a name that an earlier attempt invented is used again"),
    "too_many_unverified": _("more unsupported names than the project allows"),
    "very_low_confidence": _("there is little evidence for it"),
    "contradicted_claim": _("the tool calls contradict a claim of work"),
    "unattempted_claim": _("no tool call did the work that is claimed"),
    "contradiction": _("a stronger model named a contradiction"),
    "fact_contradicted": _("the evidence contradicts a statement"),
    "unsupported_value": _("the tools did not return a value that it states"),
    "score_below_line": _("a score is below the project's blocking threshold"),
    "goal_not_achieved": _("the goal was not achieved"),
    "goal_unclear": _("whether the goal was achieved is unclear"),
    "check_failed": _("a check failed"),
    "incomplete": _("it is incomplete"),
    "in_doubt": _("an open point that the agent can settle"),
    "faults_tolerated": _("a fault that the preset tolerates"),
    "low_confidence": _("there is not enough evidence to be sure"),
    "awaiting_verifier": _("a model's opinion is pending"),
    "doubts_remain": _("doubts remain that a reviewer must resolve"),
    "nothing_to_check": _("there is nothing in it that can be checked"),
    "checks_passed": _("the checks passed"),
    "max_retries_exceeded": _("there are no attempts left"),
}
CHECKS: dict[str, str | Promise] = {
    "trace_signature": _("A tool gateway's signature"),
    "level_1_structure": _("Level 1: structure of the agent's work report"),
    "level_2_schema": _("Level 2: tool outputs against their schemas"),
    "level_3_filesystem": _("Level 3: claims about files and commands"),
    "grounding": _("Names against the trace"),
    "completion": _("Claims of work against the trace"),
    "values": _("Values against the trace"),
    "cross_tier": _("A stronger model's opinion"),
    "cross_tier_second": _("A second model's opinion"),
    "local_signals": _("Local signals"),
    "goal": _("The goal of the run"),
    "claims": _("Claims of fact against the evidence"),
    **{str(name): title for name, title in LAYERS.items()},
}


def decision_words(report: VerificationReport) -> dict[str, str]:
    """Return the feedback to the agent and its reason, in the reader's language."""
    action, reason = str(report.decision.action), report.decision.reason
    doubtful = action == Action.ACCEPT and report.verdict != Verdict.ACCEPT
    # In old reports the verdict did not follow from the decision.
    unexplained = doubtful and reason == DecisionReason.CHECKS_PASSED
    return {
        "action_badge": str(report.verdict) if doubtful else action,
        "action_words": words_for("uncertain" if doubtful else action, ACTIONS),
        "action_why": "" if unexplained else words_for(reason, DECISION_REASONS),
    }


def words_for(code: str, table: Mapping[str, str | Promise]) -> str:
    """Return the text of a code in the reader's language; unknown ones as they are."""
    return str(table.get(code) or code.replace("_", " "))
