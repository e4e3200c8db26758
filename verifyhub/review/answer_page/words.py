"""What the codes of a report mean, for people."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from verifyhub.common.layer_words import LAYERS
from verifyhub.engine.decisions import reason_words
from verifyhub.engine.decisions.policy import DecisionReason
from verifyhub.engine.reports import Action, Verdict
from verifyhub.engine.verdicts import VerificationReport

# The engine knows no framework: its sentences are found by their English.
CHECK_REASONS = {code: _(said) for code, said in reason_words.CHECK_REASONS.items()}

MENTION_REASONS = {
    "found": _("Found in what a tool returned."),
    "found_resolved": _(
        "Found in what a tool returned, under a longer or shorter name."
    ),
    "written": _("Written by the agent in this run, and the write succeeded."),
    "not_found": _("No tool returned this name in this run."),
    "wrong_directory": _("A file of this name exists, but in another directory."),
    "wrong_extension": _("A file of this name exists, but with another extension."),
    "case_differs": _("The trace has this name in other capitals."),
    "look_alike": _("Letters from another alphabet imitate a name of the trace."),
    "near_miss": _("The trace has a name that differs by a few letters."),
    "found_earlier": _(
        "Found in what a tool returned for an earlier answer; this run did not look."
    ),
    "told_verified": _("Memory told the agent that this name was found before."),
    "stale": _(
        "Seen for an earlier answer, and changed or deleted since; it does not count."
    ),
    "found_in_files": _("VerifyHub found this file in the project's own folder."),
    "grade_too_low": _("Found, but this project asks for better evidence."),
    "input_only": _("Only the agent itself wrote this name, into a tool's input."),
    "error_only": _("Named only where a tool said that it does not exist."),
    "self_written": _("Read back from a file that the agent wrote itself."),
    "authored": _("Part of what the agent wrote in this run; it does not count."),
    "task_only": _("Named by the user's task alone; it does not count."),
    "quoted_task": _("Quoted from the user's task; it does not count."),
    "proposed": _("Proposed as something new; it does not count."),
    "hypothetical": _("Given as an example; it does not count."),
    "negated": _("Said not to exist; it does not count."),
    "common_knowledge": _(
        "Known without this run: part of a language, protocol or tool; it does not"
        " count."
    ),
    "trace_cut": _(
        "No tool returned it in what is left of the trace, much of which was cut out;"
        " it does not count."
    ),
    "plain_words": _("Perhaps plain words and no name; it does not count."),
    "cross_tier": _("A stronger model says that the trace does not support it."),
}
GRADES = {
    "A": _("VerifyHub looked itself"),
    "B": _("signed by a tool gateway"),
    "C": _("a tool's output, as the agent reported it"),
    "D": _("the agent's own words, which prove nothing"),
}
RELATIONS = {
    "attempt": _("Shown to an earlier attempt"),
    "parent": _("Shown to an answer that this one follows"),
    "subtask": _("Shown to a subtask"),
    "session": _("Shown earlier in the session"),
    "memory": _("Told by memory"),
}
CLAIM_STATUSES = {
    "supported": _("The trace shows this work with a good result."),
    "contradicted": _("The trace shows the opposite."),
    "unattempted": _("No tool call of this run did this work."),
    "unchecked": _("The trace cannot settle this."),
}
VALUE_STATUSES = {
    "supported": _("a tool says so"),
    "derived": _("calculated"),
    "user_said": _("the user's word"),
    "policy": _("the policy's word"),
    "unsupported": _("nobody said so"),
    "unchecked": _("not checked"),
}
VALUE_REASONS = {
    "found": _("It stands there as the answer spells it."),
    "other_form": _("It stands there in another form."),
    "calculated": _("It follows from other values."),
    "not_found": _("Nobody in the run said it, and nothing gives it."),
    "failed_call": _("It stands only in a call that failed."),
    "other_record": _("The tools show it of another thing."),
    "replaced": _("A later call changed it."),
    "other_currency": _("The amount has another currency in the run."),
    "other_count": _("The tools show another number of them."),
    "input_only": _("Only the agent wrote it, into a tool's input."),
    "open": _("The run cannot tell."),
}
VALUE_KINDS = {
    "identifier": _("identifier"),
    "money": _("amount of money"),
    "number": _("number"),
    "percent": _("percentage"),
    "date": _("date"),
    "time": _("time"),
    "duration": _("duration"),
    "email": _("email address"),
    "phone": _("phone number"),
    "address": _("postal address"),
    "name": _("name"),
    "status": _("status"),
}
NEARNESS = {
    "wrong_directory": _("in another directory"),
    "wrong_extension": _("with another extension"),
    "case_differs": _("in other capitals"),
    "look_alike": _("in letters of one alphabet"),
    "near_miss": _("a few letters apart"),
}
CLAIM_BADGES = {
    "supported": _("supported"),
    "contradicted": _("contradicted"),
    "unattempted": _("unattempted"),
    "unchecked": _("unchecked"),
}
STATUS_BADGES = {
    "verified": _("verified"),
    "unverified": _("unverified"),
    **CLAIM_BADGES,
}
FIRST_BAD_STEPS = {
    "result_denied": _("its result speaks against a claim of the answer"),
    "name_absent": _("it said that a name does not exist which the answer uses"),
    "name_unseen": _(
        "a name of the answer was first written into it, without evidence"
    ),
    "name_invented": _("a name stands in no call"),
    "work_not_done": _("no call did the work that is claimed"),
}
ACTIONS = {
    "accept": _("No other try is asked for."),
    "uncertain": _("No other try is asked for, but the answer is not accepted unseen."),
    "retry": _("The agent should try again, with the context below."),
    "reformulate": _("The agent should take the task in other words."),
    "follow_up": _("The agent should close the gaps below."),
    "clarify": _("The agent should clear up what contradicts the evidence or itself."),
    "fail": _("The agent should stop: it has tried often enough."),
}
# Why, as what follows the action.
DECISION_REASONS = {
    "level_1_structure_failed": _("its account of the work has the wrong structure"),
    "level_2_schema_failed": _("a tool's output does not fit its schema"),
    "level_3_filesystem_failed": _("a claim about files or commands is false"),
    "repeated_invention": _("a name that an earlier attempt invented is used again"),
    "too_many_unverified": _("more names have no evidence than the project allows"),
    "very_low_confidence": _("there is little evidence for it"),
    "contradicted_claim": _("the tool calls speak against a claim of work done"),
    "unattempted_claim": _("no tool call did the work that is claimed"),
    "contradiction": _("a stronger model named a contradiction"),
    "fact_contradicted": _("the evidence contradicts a statement"),
    "unsupported_value": _("the tools did not return a value that it states"),
    "score_below_line": _("a score is below the line that the project blocks by"),
    "goal_not_achieved": _("the goal was not reached"),
    "goal_unclear": _("whether the goal was reached is unclear"),
    "check_failed": _("a check failed"),
    "incomplete": _("it is incomplete"),
    "in_doubt": _("something stayed open that the agent can settle"),
    "faults_tolerated": _("something is wrong that the preset lets through"),
    "low_confidence": _("there is not enough evidence to be sure"),
    "awaiting_verifier": _("a model's opinion is still to come"),
    "doubts_remain": _("doubts remain that no agent can settle"),
    "nothing_to_check": _("there is nothing in it that could be checked"),
    "checks_passed": _("the checks passed"),
    "max_retries_exceeded": _("there are no attempts left"),
}
CHECKS: dict[str, str | Promise] = {
    "trace_signature": _("A tool gateway's signature"),
    "level_1_structure": _("Level 1: structure of the agent's account"),
    "level_2_schema": _("Level 2: tool outputs against their schemas"),
    "level_3_filesystem": _("Level 3: claims about files and commands"),
    "grounding": _("Names against the trace"),
    "completion": _("Claims of work against the trace"),
    "cross_tier": _("A stronger model's opinion"),
    "cross_tier_second": _("A second model's opinion"),
    "local_signals": _("Cheap signs of doubt"),
    "goal": _("The goal of the run"),
    "claims": _("Claims of fact against the evidence"),
    **{str(name): title for name, title in LAYERS.items()},
}


def told(report: VerificationReport) -> dict[str, str]:
    """Say what the agent is told and why; an answer in doubt is never just accepted."""
    action, reason = str(report.decision.action), report.decision.reason
    doubtful = action == Action.ACCEPT and report.verdict != Verdict.ACCEPT
    # Reports of before the verdict followed from the decision say both at once.
    untold = doubtful and reason == DecisionReason.CHECKS_PASSED
    return {
        "action_badge": str(report.verdict) if doubtful else action,
        "action_words": words_for("uncertain" if doubtful else action, ACTIONS),
        "action_why": "" if untold else words_for(reason, DECISION_REASONS),
    }


def words_for(code: str, table: Mapping[str, str | Promise]) -> str:
    """Say what a code means, in the reader's language; an unknown one as it is."""
    return str(table.get(code) or code.replace("_", " "))
