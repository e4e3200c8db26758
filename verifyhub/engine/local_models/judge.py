"""An operator's own judge: an NLI or grounding model as ONNX, in a folder.

`VERIFYHUB_LOCAL_JUDGE` names the folder: `model.onnx`, `tokenizer.json` and
`config.json`, whose `id2label` says what the model's outputs mean. Nothing is
downloaded, and no path comes from anywhere else. No package ships such weights; what
one says is the operator's responsibility, and is marked `local_judge`.
"""

import json
import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from verifyhub.common import env
from verifyhub.engine.claim_results import FactStatus, JudgedBy
from verifyhub.engine.claims.judges import FAILED, ClaimJudgement
from verifyhub.engine.errors import EngineError
from verifyhub.engine.local_models.runtime import open_session
from verifyhub.engine.passages import Candidate

MODEL, TOKENIZER, CONFIG = "model.onnx", "tokenizer.json", "config.json"
MAX_CONFIG_BYTES = 1_000_000
MAX_TOKENS = 512
# Longer texts are cut by the tokenizer anyway.
MAX_CHARACTERS = 8_000
# A side is taken from this probability on.
SURE = 0.5

FOR, AGAINST, NEITHER = "for", "against", "neither"
# What labels are called by NLI and grounding models; LABEL_0 says nothing.
LABELS = {
    label: side
    for side, labels in (
        (
            FOR,
            "entailment, entailed, entails, supported, supports, support, grounded,"
            " faithful, consistent, factual",
        ),
        (AGAINST, "contradiction, contradicted, contradicts, refuted, refutes, refute"),
        (NEITHER, "neutral, unknown, not_enough_info, not enough info, nei"),
        # Two-way models: not supported is not the same as denied.
        (
            NEITHER,
            "not_entailment, not entailment, unsupported, not_supported, ungrounded,"
            " hallucinated, hallucination, inconsistent, unfaithful",
        ),
    )
    for label in labels.split(", ")
}


class LocalJudgeError(EngineError):
    """The folder cannot be used; the message names the file that is wrong."""


def configured_judge() -> "LocalJudge | None":
    """Return the process's judge by `VERIFYHUB_LOCAL_JUDGE`; None where it is unset.

    Raises:
        LocalJudgeError: If the folder cannot be used.
    """
    folder = env.text("VERIFYHUB_LOCAL_JUDGE", "")
    return _loaded(folder) if folder else None


@cache
def _loaded(folder: str) -> "LocalJudge":
    return LocalJudge(Path(folder))


@dataclass(frozen=True, slots=True)
class _JudgeModel:
    session: Any
    tokenizer: Any
    inputs: frozenset[str]


class LocalJudge:
    """A `ClaimJudge` on this machine; may be asked by several threads."""

    judged_by = JudgedBy.LOCAL_JUDGE

    def __init__(self, folder: Path | str) -> None:
        """Load a folder.

        Args:
            folder: The operator's own; holds `model.onnx`, `tokenizer.json` and
                `config.json` with `id2label`.

        Raises:
            LocalJudgeError: Naming the file that is missing or wrong.
        """
        self._folder = Path(folder)
        if not self._folder.is_dir():
            raise LocalJudgeError(f"{folder} is no folder")
        for name in (MODEL, TOKENIZER, CONFIG):
            if not (self._folder / name).is_file():
                raise LocalJudgeError(f"{self._folder / name} is missing")
        self._sides, self.name = _read_config(self._folder / CONFIG)
        self._model = _load(self._folder)
        self._lock = threading.Lock()
        outputs = self._probabilities("", "")
        if len(outputs) != len(self._sides):
            raise LocalJudgeError(
                f"{self._folder / CONFIG}: id2label names {len(self._sides)} labels,"
                f" and {MODEL} gives {len(outputs)}"
            )

    def judge(
        self,
        claim: str,
        candidates: Sequence[Candidate],
        *,
        task: str,  # noqa: ARG002 - such models read a premise and a hypothesis alone
    ) -> ClaimJudgement:
        """Judge each passage alone; see `ClaimJudge.judge`.

        A claim is ambiguous if one passage bears it out and another denies it.
        """
        try:
            scores = [
                self._scores(candidate.passage.text, claim) for candidate in candidates
            ]
        except LocalJudgeError:
            return ClaimJudgement(status=FactStatus.UNKNOWN, reason=FAILED)
        speak_for = _sure(scores, FOR)
        against = _sure(scores, AGAINST)
        if speak_for:
            place = speak_for[0]
            sides = [scores[place][FOR], *(scores[at][AGAINST] for at in against[:1])]
            return ClaimJudgement(
                status=FactStatus.AMBIGUOUS if against else FactStatus.VERIFIED,
                confidence=min(sides),
                deciding=place,
                against=tuple(against),
            )
        if against:
            place, *others = against
            return ClaimJudgement(
                status=FactStatus.CONTRADICTED,
                confidence=scores[place][AGAINST],
                deciding=place,
                against=tuple(others),
            )
        neither = min((score[NEITHER] for score in scores), default=None)
        return ClaimJudgement(status=FactStatus.UNKNOWN, confidence=neither)

    def _scores(self, premise: str, hypothesis: str) -> dict[str, float]:
        sides = {FOR: 0.0, AGAINST: 0.0, NEITHER: 0.0}
        probabilities = self._probabilities(premise, hypothesis)
        for side, probability in zip(self._sides, probabilities, strict=True):
            sides[side] += probability
        return sides

    def _probabilities(self, premise: str, hypothesis: str) -> list[float]:
        """Return the probability of each label, by softmax over the model's outputs.

        One output alone is the logit of support, as of a cross-encoder.
        """
        import numpy

        with self._lock:
            encoded = self._model.tokenizer.encode(
                premise[:MAX_CHARACTERS], hypothesis[:MAX_CHARACTERS]
            )
        fields = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        feed = {
            name: numpy.asarray([values], dtype=numpy.int64)
            for name, values in fields.items()
            if name in self._model.inputs
        }
        logits = [float(logit) for logit in self._run(feed)]
        if len(logits) == 1:
            support = 1 / (1 + math.exp(-max(-60.0, min(60.0, logits[0]))))
            return [support, 1 - support]
        top = max(logits)
        weights = [math.exp(logit - top) for logit in logits]
        return [weight / sum(weights) for weight in weights]

    def _run(self, feed: dict[str, Any]) -> Any:
        try:
            (logits, *_) = self._model.session.run(None, feed)
            row = logits.reshape(-1)
        except Exception as error:
            raise LocalJudgeError(
                f"{self._folder / MODEL} does not run on input_ids, attention_mask"
                f" and token_type_ids: {type(error).__name__}"
            ) from error
        if not all(math.isfinite(logit) for logit in row):
            raise LocalJudgeError(f"{self._folder / MODEL} gave no finite numbers")
        return row


def _sure(scores: Sequence[dict[str, float]], side: str) -> list[int]:
    """Return the positions that take a side, the surest first."""
    places = [place for place, score in enumerate(scores) if score[side] >= SURE]
    return sorted(places, key=lambda place: (-scores[place][side], place))


def _read_config(file: Path) -> tuple[tuple[str, ...], str]:
    """Return the side of each output in order, and the model's name."""
    try:
        with file.open("rb") as stream:
            data = json.loads(stream.read(MAX_CONFIG_BYTES))
        labels = {int(key): str(label) for key, label in data["id2label"].items()}
        name = str(data.get("_name_or_path") or file.parent.name)
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise LocalJudgeError(
            f'{file} holds no label map: {{"id2label": {{"0": "entailment", …}}}}'
        ) from error
    if sorted(labels) != list(range(len(labels))):
        raise LocalJudgeError(f"{file}: id2label must count from 0 without a gap")
    unknown = [label for label in labels.values() if label.lower() not in LABELS]
    if unknown:
        raise LocalJudgeError(
            f"{file}: id2label: {unknown[0]!r} is none of {', '.join(LABELS)}"
        )
    sides = tuple(LABELS[labels[number].lower()] for number in range(len(labels)))
    if FOR not in sides:
        raise LocalJudgeError(f"{file}: id2label has no label that bears a claim out")
    return sides, name[:200]


def _load(folder: Path) -> _JudgeModel:
    missing = [
        name for name in ("onnxruntime", "tokenizers") if find_spec(name) is None
    ]
    if missing:
        raise LocalJudgeError(f"{', '.join(missing)} is not installed")
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        tokenizer.enable_truncation(MAX_TOKENS)
        tokenizer.no_padding()
    except Exception as error:
        raise LocalJudgeError(
            f"{folder / TOKENIZER} is no tokenizer: {error}"
        ) from error
    try:
        session = open_session(folder / MODEL)
    except Exception as error:
        raise LocalJudgeError(f"{folder / MODEL} is no ONNX model: {error}") from error
    names = frozenset(input_.name for input_ in session.get_inputs())
    if "input_ids" not in names:
        raise LocalJudgeError(f"{folder / MODEL} has no input named input_ids")
    return _JudgeModel(session, tokenizer, names)
