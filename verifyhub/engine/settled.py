"""Check an answer by the ledger alone, before any model is asked."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass

from verifyhub.common.strict_json import REPLACEMENT
from verifyhub.engine.calls.pairs import NO_PAIRS, Pairs
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.completion.check import read_work
from verifyhub.engine.decisions.grades import raise_claim_grades, raise_grades
from verifyhub.engine.decisions.measures import coverage
from verifyhub.engine.earlier.sight import EarlierSight
from verifyhub.engine.earlier.turns import NOTHING_EARLIER, EarlierTurns
from verifyhub.engine.grounding.ground import TRACE_CUT, ground_mentions
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.ledger.seal import Gateways, LedgerSeal, SealState, read_seal
from verifyhub.engine.levels.run import LevelInputs, Levels, run_levels
from verifyhub.engine.mentions.extract import NamesOf
from verifyhub.engine.ports import FileTree
from verifyhub.engine.reports import (
    CheckResult,
    ClaimStatus,
    CompletionClaim,
    Grade,
    MentionResult,
    Outcome,
    ReportWarning,
)
from verifyhub.engine.types import Interaction, Mention
from verifyhub.engine.value_results import ValueResult, ValueStatus
from verifyhub.engine.values.check import ValuesRead, read_values
from verifyhub.engine.warning_codes import WarningCode

# Values that a warning names.
_MAX_LISTED_VALUES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class NotSearched:
    """The parts of a run that were not read because it is too large.

    Attributes:
        names_from: The position in the answer, in code points, at which the search for
            names stopped; None if it read all.
        claims_from: The same of claims of work.
        values_from: The same of values.
        tool_calls: The number of tool calls at the end that were not read.
    """

    names_from: int | None
    claims_from: int | None
    values_from: int | None
    tool_calls: int

    def __bool__(self) -> bool:
        stops = (self.names_from, self.claims_from, self.values_from)
        return bool(self.tool_calls) or any(stop is not None for stop in stops)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """Names and claims of an answer as settled by the run.

    Attributes:
        ledger: The index of the tool calls.
        levels: The results of the three levels.
        seal: Whether a gateway signed the trace.
        known: The names found in the answer.
        mentions: The same names, settled.
        claims: Claims of work done, settled.
        values: Values of the answer, compared with the run.
        values_compared: Whether values of the run can be unsupported.
        sight: The evidence of earlier answers, for what the run leaves open.
        not_searched: Parts of the run beyond the limits.
    """

    ledger: Ledger
    levels: Levels
    seal: LedgerSeal
    known: tuple[Mention, ...]
    mentions: tuple[MentionResult, ...]
    claims: tuple[CompletionClaim, ...]
    values: tuple[ValueResult, ...]
    values_compared: bool
    tree: FileTree | None
    least: Grade
    sight: EarlierSight
    not_searched: NotSearched

    @property
    def counted(self) -> list[MentionResult]:
        """The names that count for or against the answer."""
        return [mention for mention in self.mentions if mention.counts]

    @property
    def coverage(self) -> float:
        """Share of names, claims and values that could be settled."""
        return coverage(
            len(self.counted), len(self.mentions), self.claims, self.compared_values
        )

    @property
    def compared_values(self) -> tuple[ValueResult, ...]:
        """The values, if the run can tell of each where it comes from."""
        return self.values if self.values_compared else ()

    @property
    def anything(self) -> bool:
        """Whether any name or claim could be settled, or values if no claim is open.

        Correct amounts do not prove that the money was paid back.
        """
        if self.counted or not self.claims:
            return bool(self.counted) or self.shows_values
        return any(claim.status is not ClaimStatus.UNCHECKED for claim in self.claims)

    @property
    def shows_values(self) -> bool:
        """Whether tool outputs settle any value, not only the user or the policy."""
        repeated = (ValueStatus.USER_SAID, ValueStatus.POLICY)
        return self.values_compared and any(
            value.is_settled and value.status not in repeated for value in self.values
        )

    @property
    def doubted(self) -> bool:
        """Whether anything prevents accepting the answer without review.

        A level is open, a value is wrong, a signature is invalid, or names may be in
        missing or unsearched parts of the trace.
        """
        return (
            self.levels.doubted
            or bool(self.not_searched)
            or self.seal.state is SealState.INVALID
            or any(value.is_flagged for value in self.values)
            or any(mention.reason == TRACE_CUT for mention in self.mentions)
        )

    @property
    def seal_checks(self) -> tuple[CheckResult, ...]:
        """The signature as a check; none without a signature."""
        if self.seal.state is SealState.ABSENT:
            return ()
        valid = self.seal.state is SealState.VALID
        return (
            CheckResult(
                name="trace_signature",
                outcome=Outcome.PASSED if valid else Outcome.FAILED,
                score=float(valid),
                reason=self.seal.reason,
                details={"key_id": self.seal.key_id, "calls": len(self.seal.calls)},
            ),
        )

    @property
    def warnings(self) -> tuple[ReportWarning, ...]:
        """Warnings about values, the signature, and what could not be read."""
        return (*self._of_evidence(), *self._of_reading())

    def _of_evidence(self) -> Iterator[ReportWarning]:
        """Warn of values, signatures and names that the evidence does not bear out."""
        flagged = [value.text for value in self.values if value.is_flagged]
        if flagged:
            yield ReportWarning(
                code=WarningCode.UNSUPPORTED_VALUE,
                message="Values are in no tool output, message or policy.",
                details={"values": flagged[:_MAX_LISTED_VALUES]},
            )
        if self.seal.state is SealState.INVALID:
            yield ReportWarning(
                code=WarningCode.TRACE_SIGNATURE_INVALID,
                message="The trace carries a signature that does not fit it.",
                details={"reason": self.seal.reason, "key_id": self.seal.key_id},
            )
        names = sum(mention.reason == TRACE_CUT for mention in self.mentions)
        if names:
            share = max(self.ledger.share_cut, self.ledger.share_unrecorded)
            yield ReportWarning(
                code=WarningCode.TRACE_CUT,
                message="Names may stand in what was cut out of the trace; they could"
                " not be looked up.",
                details={"names": names, "share": round(share, 2)},
            )

    def _of_reading(self) -> Iterator[ReportWarning]:
        """Warn of parts of the run that were not read, or not as they were."""
        if self.not_searched:
            yield ReportWarning(
                code=WarningCode.NOT_SEARCHED,
                message="The run is too large to be searched whole; what was left out"
                " is not judged.",
                details=asdict(self.not_searched),
            )
        marked = {
            source.tool_call: source.text.count(REPLACEMENT)
            for source in self.ledger.sources
            if REPLACEMENT in source.text
        }
        if marked:
            yield ReportWarning(
                code=WarningCode.CHARACTERS_REPLACED,
                message="The run holds marks (U+FFFD) in the place of characters that"
                " cannot be kept.",
                details={
                    "tool_calls": sorted(call for call in marked if call >= 0),
                    "characters": sum(marked.values()),
                },
            )

    def look_up(self, names: Iterable[Mention]) -> tuple[MentionResult, ...]:
        """Settle further names by the same rules."""
        mentions = tuple(names)
        results = raise_grades(
            ground_mentions(mentions, self.ledger),
            signed_calls=self.seal.calls,
            tree=self.tree,
            least=self.least,
        )
        return self.sight.mentions(mentions, results)


def settle(
    interaction: Interaction,
    *,
    inputs: LevelInputs,
    rules: Mapping[str, ToolKind],
    gateways: Gateways,
    least: Grade,
    earlier: EarlierTurns = NOTHING_EARLIER,
    pairs: Pairs = NO_PAIRS,
) -> Settled:
    """Settle names and claims by the ledger, each with its best grade.

    Args:
        earlier: The evidence of earlier answers, for what the run leaves open.
        inputs: Schemas of tools, files to check, and a clock.
        rules: Rules about the project's own tools.
        gateways: The gateways whose signatures the project trusts.
        least: The minimum grade of evidence.
        pairs: The project's names of values, and actions of tools.
    """
    ledger = build_ledger(interaction, rules=rules, pairs=pairs)
    seal = read_seal(interaction, gateways)
    names = NamesOf(interaction.answer)
    known = names.mentions()
    sight = EarlierSight(earlier, interaction, rules=rules, least=least, pairs=pairs)
    mentions = raise_grades(
        ground_mentions(known, ledger, names.exemption),
        signed_calls=seal.calls,
        tree=inputs.tree,
        least=least,
    )
    work = read_work(interaction.answer, ledger)
    claims = raise_claim_grades(work.claims, signed_calls=seal.calls, least=least)
    # Unread calls might contain the values.
    values = ValuesRead()
    if not ledger.unread:
        values = read_values(interaction, ledger.calls, seal.calls, pairs)
    return Settled(
        ledger=ledger,
        levels=run_levels(interaction, ledger, inputs, manifest_signed=seal.manifest),
        seal=seal,
        known=known,
        mentions=sight.mentions(known, mentions, names.exemption),
        claims=sight.claims(interaction.answer, claims),
        values=sight.values(values.values),
        values_compared=values.compared,
        tree=inputs.tree,
        least=least,
        sight=sight,
        not_searched=NotSearched(
            names_from=names.read_to,
            claims_from=work.read_to,
            values_from=values.read_to,
            tool_calls=ledger.unread,
        ),
    )
