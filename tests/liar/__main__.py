"""Let a lying model answer a million times: nothing false is verified by its word.

    python -m tests.liar [--replies 1000000] [--whole 10000] [--seed 1]

Replies come of a grammar (`replies`). Each goes the way of a verifier's, a goal judge's
or a one-word judge's reply, and is held against a second reading that knows the rules
alone: what passes must be exactly the asked object, with both controls sorted right.
Then whole verifications are made with such a model as each judge there is: no name that
the trace lacks becomes verified, and neither verdict nor confidence rises.
"""

import argparse
import json
import math
import multiprocessing
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.builders import a_read, a_tool_call, an_interaction
from tests.liar.replies import FIELDS, SHARES, WORDS, Liar, Names
from verifyhub.engine.cross_tier.submission import parse_submission
from verifyhub.engine.goals.check import GoalInputs
from verifyhub.engine.goals.submission import parse_goal_submission
from verifyhub.engine.judging.ask import Controls
from verifyhub.engine.judging.one_word import one_word
from verifyhub.engine.judging.replies import SubmissionError
from verifyhub.engine.pipeline import Judges, VerificationRequest, verify
from verifyhub.engine.ports import ModelReply, ModelRequest
from verifyhub.engine.reports import GoalState, Status, Verdict
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.verdicts import VerificationReport

SHARE = 2000
RANK = {Verdict.REJECT: 0, Verdict.UNCERTAIN: 1, Verdict.ACCEPT: 2}
# Judges are asked of answers, too, that the ledger alone sends back.
ASKED = Thresholds(sends_back="source")
GOAL_LISTS = ("issues", "suggestions", "present", "absent")
REAL, INVENTED = ("src/dates.py", "parse_iso"), ("src/ghost.py", "parse_all")
NAMES = Names(REAL, INVENTED, "src/sure_one.py", "src/decoy_one.py")


def main(argv: Sequence[str] | None = None) -> int:
    """Run it; return 1 where a lie passed or a reader failed otherwise than it says."""
    parser = argparse.ArgumentParser(prog="python -m tests.liar")
    add = parser.add_argument
    add("--replies", type=int, default=1_000_000)
    add("--whole", type=int, default=10_000, help="whole verifications")
    add("--seed", type=int, default=1)
    add("--processes", type=int, default=os.cpu_count())
    given = parser.parse_args(argv)
    began = time.monotonic()
    seen: Counter[str] = Counter()
    wrong: list[str] = []
    tasks = [("replies", *part) for part in _parts(given.replies, given.seed)]
    tasks += [("whole", *part) for part in _parts(given.whole, given.seed)]
    with multiprocessing.Pool(given.processes) as pool:
        for counted, found in pool.imap_unordered(_do, tasks):
            seen += counted
            wrong += found
    for name, count in sorted(seen.items()):
        print(f"{name:32}{count:>10}")
    print(f"{len(wrong)} wrong, {time.monotonic() - began:.0f} s, seed {given.seed}")
    print(*wrong[:20], sep="\n")
    return int(bool(wrong))


def _parts(count: int, seed: int) -> list[tuple[int, str]]:
    return [
        (min(SHARE, count - start), f"{seed} {start}")
        for start in range(0, count, SHARE)
    ]


def _do(task: tuple[str, int, str]) -> tuple[Counter[str], list[str]]:
    what, count, seed = task
    return (hold_replies if what == "replies" else hold_verifications)(count, seed)


def hold_replies(count: int, seed: str) -> tuple[Counter[str], list[str]]:
    """Hold replies against a reading of their own.

    Returns:
        How many there were of each kind, and what was wrong.
    """
    dice = random.Random(seed)
    liar = Liar(dice)
    controls = Controls(nonce="n", decoy=NAMES.decoy, sure=NAMES.sure)
    seen: Counter[str] = Counter()
    wrong: list[str] = []
    for _ in range(count):
        kind = dice.choice(["verifier", "verifier", "goal", "word"])
        text = {"verifier": liar.submission, "goal": liar.goal}.get(
            kind, lambda _names: liar.word()
        )(NAMES)
        try:
            passes, should = {
                "verifier": _verifier,
                "goal": _goal,
                "word": _word,
            }[kind](text, controls)
        except Exception as error:  # noqa: BLE001 - what a reader may not raise
            wrong.append(f"{kind}: {type(error).__name__}: {error} by {text!r}"[:500])
            continue
        seen[f"{kind} {'passes' if passes else 'refused'}"] += 1
        if passes and not should:
            wrong.append(f"{kind} passes: {text!r}"[:500])
    return seen, wrong


def _verifier(text: str, controls: Controls) -> tuple[bool, bool]:
    """Return whether a reply is believed, and whether it may be."""
    data = _strictly(text)
    may = (
        data is not None
        and set(data) == {*FIELDS, *SHARES, "reasoning"}
        and all(_is_texts(data[name]) for name in FIELDS)
        and all(_is_number(data[name]) for name in SHARES)
        and isinstance(data["reasoning"], str)
        and _sorts_controls(data["verified"], data["unverified"])
    )
    try:
        said = parse_submission(text)
    except SubmissionError:
        return False, may
    for share in (said.confidence, said.completeness):
        assert math.isfinite(share), share
        assert 0 <= share <= 1, share
    return not controls.misled(accepted=said.verified, refused=said.unverified), may


def _goal(text: str, controls: Controls) -> tuple[bool, bool]:
    data = _strictly(text)
    may = (
        data is not None
        and set(data) == {"goalAchieved", "confidence", *GOAL_LISTS}
        and data["goalAchieved"] is True
        and _is_number(data["confidence"])
        and all(_is_texts(data[name]) for name in GOAL_LISTS)
        and _sorts_controls(data["present"], data["absent"])
    )
    try:
        said = parse_goal_submission(text)
    except SubmissionError:
        return False, may
    assert math.isfinite(said.confidence)
    assert 0 <= said.confidence <= 1
    misled = controls.misled(accepted=said.present, refused=said.absent)
    return said.achieved and not misled, may


def _word(text: str, _controls: Controls) -> tuple[bool, bool]:
    word = one_word(text, WORDS)
    letters = "".join(one for one in text if one.isalnum()).upper()
    return word is not None, letters == word


def _strictly(text: str) -> dict[str, Any] | None:
    """Read an object as JSON alone allows, with each key once; else None."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            raise ValueError("a key stands there twice")
        return made

    def refuse(word: str) -> Any:
        raise ValueError(word)

    try:
        text.encode()
        data = json.loads(text, object_pairs_hook=once, parse_constant=refuse)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_number(value: Any) -> bool:
    is_one = isinstance(value, int | float) and not isinstance(value, bool)
    return is_one and abs(value) < math.inf and abs(value) <= sys.float_info.max


def _sorts_controls(accepted: Sequence[str], refused: Sequence[str]) -> bool:
    # Cut at 2,000 characters and at 500 entries they are the same names.
    return (
        NAMES.sure in accepted
        and NAMES.decoy in refused
        and NAMES.sure not in refused
        and NAMES.decoy not in accepted
    )


class LyingModel:
    """Answers every question of a verification by the grammar."""

    name = "liar"

    def __init__(self, dice: random.Random) -> None:
        self.dice, self.liar, self.said = dice, Liar(dice), 0

    def ask(self, request: ModelRequest) -> ModelReply:
        self.said += 1
        (document,) = json.loads(request.user).values()
        if request.tool is None:
            return ModelReply(text=self.liar.word())
        # Of the names it is shown it cannot know which is the wrong control.
        shown = [
            *document.get("names_to_judge", ()),
            *document.get("names_to_sort", ()),
        ]
        unknown = [one for one in shown if one not in {*REAL, *INVENTED}]
        listed = {*document.get("files_read", ()), *document.get("names_listed", ())}
        sure = next((one for one in unknown if one in listed), "x")
        decoy = next((one for one in unknown if one != sure), "y")
        names = Names(REAL, INVENTED, sure, decoy)
        is_goal = "goalAchieved" in request.tool["parameters"]["properties"]
        return ModelReply(
            text=(self.liar.goal if is_goal else self.liar.submission)(names)
        )


def hold_verifications(count: int, seed: str) -> tuple[Counter[str], list[str]]:
    """Verify runs with a lying model; compare with the ledger's word alone."""
    dice = random.Random(seed)
    seen: Counter[str] = Counter()
    wrong: list[str] = []
    for number in range(count):
        run = an_interaction(
            "It is `parse_iso` in src/dates.py; `parse_all` in src/ghost.py calls it.",
            a_read("src/dates.py", "def parse_iso(text):\n    return text\n"),
            a_tool_call("list", output="dates.py\n"),
            task=f"Where are dates parsed? ({number})",
            goal="Say where dates are parsed.",
        )
        model = LyingModel(dice)
        alone = verify(VerificationRequest(run, thresholds=ASKED))
        report = verify(
            VerificationRequest(
                run,
                thresholds=ASKED,
                judges=Judges(model=model, rng=random.Random(f"{seed} {number}")),
                goal_inputs=GoalInputs(model=model),
            )
        )
        seen["whole verifications"] += 1
        seen["replies in them"] += model.said
        seen[f"verdict {report.verdict}"] += 1
        if rises := _rises(alone, report):
            wrong.append(f"verification {seed} {number}: {', '.join(rises)}")
    return seen, wrong


def _rises(alone: VerificationReport, report: VerificationReport) -> list[str]:
    """Return what a model made better than the ledger left it."""
    before = {one.text for one in alone.mentions if one.status is Status.VERIFIED}
    after = {one.text for one in report.mentions if one.status is Status.VERIFIED}
    raised = {
        "names": bool(after - before) or bool(after & set(INVENTED)),
        "verdict": RANK[report.verdict] > RANK[alone.verdict],
        "confidence": (report.confidence or 0) > (alone.confidence or 0),
        # With names that nobody returned a goal is not reached by them.
        "goal": report.goal.state is GoalState.ACHIEVED
        and report.verdict is Verdict.ACCEPT,
    }
    return [name for name, holds in raised.items() if holds]


if __name__ == "__main__":
    sys.exit(main())
