"""`verifyhub verify`: verify runs from a file or a pipe, without a server."""

import argparse
import json
import sys
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any

from verifyhub.cli.claim_options import ClaimOptions, add_source_options
from verifyhub.cli.level_options import LevelOptions, OptionError, add_level_options
from verifyhub.cli.pipes import hush_stdout
from verifyhub.cli.verify_input import NATIVE, InputRun, read_pieces
from verifyhub.cli.verify_text import as_text, understood_as_text, visible
from verifyhub.common import env
from verifyhub.common.contract import FormatError
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.pipeline import Judges, VerificationRequest, verify
from verifyhub.engine.ports import Model
from verifyhub.engine.reports import Verdict
from verifyhub.engine.types import Interaction
from verifyhub.ingest.formats import native
from verifyhub.ingest.formats.base import Note, Transcript
from verifyhub.ingest.formats.transcripts import AUTO, format_names

if TYPE_CHECKING:
    from verifyhub.engine.llm.configure import ModelSettings

OK, FLAGGED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
FLAGS = {
    "reject": {Verdict.REJECT},
    "uncertain": {Verdict.REJECT, Verdict.UNCERTAIN},
    "never": set[Verdict](),
}
EPILOG = """\
FILE contains one run as JSON, an array of runs, or JSON Lines with one run per line, in
the format of POST /api/v1/interactions/. Or it is an agent's transcript in one of the
formats that `verifyhub formats` lists: each turn that ends in an answer is a run. The
output is one verdict per line, in the order of the runs. Claims of fact are checked
against the sources sent with a run and those of --sources: by the judge set in
VERIFYHUB_LOCAL_JUDGE or VERIFYHUB_MODEL_*, otherwise by local signals, which can make a
claim ambiguous but never reject it.
Exit codes: 0 nothing flagged; 1 something flagged; 2 some input could not be read (its
line and field are printed on standard error; the other runs are verified).
"""


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the description and the options of the subcommand."""
    parser.description = "Verify agents' answers against what their tools returned."
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "file", metavar="FILE|-", help="file to read; - for standard input"
    )
    parser.add_argument(
        "--format",
        choices=[AUTO, NATIVE, *format_names()],
        default=AUTO,
        metavar="NAME",
        help="format of FILE: auto detects it and ignores unknown fields of a run, "
        "native rejects them; `verifyhub formats` lists the others",
    )
    parser.add_argument(
        "--understood",
        action="store_true",
        help="print a summary of the input before the verdicts: turns, calls, unmapped "
        "entries",
    )
    parser.add_argument(
        "--offline",
        action="store_true",
        help="use no model, even if VERIFYHUB_MODEL_URL is set",
    )
    add_level_options(parser)
    add_source_options(parser)
    parser.add_argument(
        "--ledger",
        action="store_true",
        help="print the ledger of each run as JSON instead of a verdict",
    )
    parser.add_argument(
        "--output", choices=["json", "text"], default="json", help="default: json"
    )
    parser.add_argument(
        "--fail-on",
        choices=list(FLAGS),
        default="reject",
        help="verdict that sets exit code 1; uncertain includes reject (default: "
        "reject)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Verify the runs of the arguments and return the exit code."""
    try:
        if arguments.file == "-":
            return _CommandRun(arguments, "<stdin>").verify_all(sys.stdin.buffer)
        with open(arguments.file, "rb") as stream:
            return _CommandRun(arguments, arguments.file).verify_all(stream)
    except BrokenPipeError:
        hush_stdout()
        return OK
    except (OptionError, env.SettingError) as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    except OSError as error:
        print(f"{arguments.file}: {error.strerror}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED


def _model_settings() -> "ModelSettings | None":
    """Read the settings of models; None without an address."""
    if not env.text("VERIFYHUB_MODEL_URL", ""):
        return None
    # Imported here, since it imports the client, which most calls do not need.
    from verifyhub.engine.llm.configure import from_environment

    return from_environment()


def as_json(data: Mapping[str, Any]) -> str:
    """Write one line of JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


class _CommandRun:
    """One call of the command: its options, and its state."""

    def __init__(self, arguments: argparse.Namespace, name: str) -> None:
        self.arguments, self.name = arguments, name
        self.flags = FLAGS[arguments.fail_on]
        self.levels = LevelOptions.read(arguments)
        self.bad = self.flagged = self.said_ignored = False
        self.settings = None if arguments.offline else _model_settings()
        self.claims = ClaimOptions(arguments, self.settings)

    def verify_all(self, stream: IO[bytes]) -> int:
        for piece in read_pieces(stream, format_name=self.arguments.format):
            if piece.problem is not None:
                self._complain(piece.place, piece.problem)
            elif piece.transcript is not None:
                self._say_understood(piece.transcript)
            elif piece.interaction is not None:
                self._verify(piece.interaction, piece)
            else:
                self._take_native(piece)
        if self.bad:
            return BAD_INPUT
        return FLAGGED if self.flagged else OK

    def _take_native(self, piece: InputRun) -> None:
        try:
            data, ignored = self._known_fields(piece.data)
            interaction = native.parse_interaction(data)
        except FormatError as error:
            self._complain(piece.place, str(error))
            return
        if self.arguments.understood:
            calls = interaction.tool_calls
            self._say_understood(
                Transcript(
                    format=NATIVE,
                    interactions=(interaction,),
                    notes=tuple(
                        Note(kind=f"unknown field {name}", count=1, first=piece.place)
                        for name in ignored
                    ),
                    turns=1,
                    calls=len(calls),
                    outputs=sum(bool(call.output) for call in calls),
                )
            )
        self._verify(interaction, piece)

    def _say_understood(self, transcript: Transcript) -> None:
        if not self.arguments.understood:
            # Unmapped content is reported; an option lists it.
            summary = understood_as_text(transcript, details=False)
            print(f"{self.name}: {summary}", file=sys.stderr)
        elif self.arguments.output == "text":
            self._print(understood_as_text(transcript, details=True))
        else:
            self._print(as_json({"understood": transcript.as_dict()}))

    def _verify(self, interaction: Interaction, piece: InputRun) -> None:
        if self.arguments.ledger:
            ledger = build_ledger(interaction, pairs=self.levels.pairs)
            self._print(as_json(ledger.as_dict()))
            return
        interaction = self.claims.with_sources(interaction)
        try:
            model = self._model(interaction.agent.tier)
            request = VerificationRequest(
                interaction,
                judges=Judges(model=model),
                level_inputs=self.levels.inputs(),
                pairs=self.levels.pairs,
                claim_inputs=self.claims.inputs(interaction, model),
            )
            report = verify(request)
        except OptionError:
            raise
        except Exception as error:  # noqa: BLE001 - one run must not end the others
            self._complain(piece.place, f"Internal error: {type(error).__name__}")
            return
        self.flagged = self.flagged or report.verdict in self.flags
        if self.arguments.output == "text":
            text = as_text(report, piece.place, colour=sys.stdout.isatty())
        else:
            text = as_json(report.as_dict())
        self._print(text)

    def _known_fields(self, data: Any) -> tuple[Any, list[str]]:
        if self.arguments.format == NATIVE or not isinstance(data, dict):
            return data, []
        kept_fields, unknown = native.without_unknown(data)
        if unknown and not self.said_ignored:
            names = ", ".join(visible(field) for field in unknown)
            print(f"{self.name}: ignored fields: {names}", file=sys.stderr)
            self.said_ignored = True
        return kept_fields, unknown

    def _model(self, tier: str) -> Model | None:
        if self.settings is None:
            return None
        from verifyhub.engine.llm.configure import verifier_for

        return verifier_for(tier, self.settings)

    def _complain(self, place: str, problem: str) -> None:
        self.bad = True
        sys.stdout.flush()
        print(f"{self.name}: {place}: {visible(problem)}", file=sys.stderr)

    def _print(self, text: str) -> None:
        # Bytes, since the terminal's locale may not support all characters.
        sys.stdout.buffer.write(text.encode() + b"\n")
        sys.stdout.buffer.flush()
