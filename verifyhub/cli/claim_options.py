"""Command-line options for claims of fact: their judge and sources."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from verifyhub.cli.level_options import OptionError
from verifyhub.engine.claims.check import ClaimInputs
from verifyhub.engine.claims.judges import ClaimJudge
from verifyhub.engine.claims.model_judge import ModelClaimJudge
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.engine.local_models.embedder import default_embedder
from verifyhub.engine.local_models.judge import LocalJudgeError, configured_judge
from verifyhub.engine.ports import Model
from verifyhub.engine.retrieval.run_search import RunSearch, passages_of
from verifyhub.engine.types import Interaction

if TYPE_CHECKING:
    from verifyhub.engine.llm.configure import ModelSettings

# Maximum size of one file, and of all of them.
MAX_SOURCE_BYTES = 5_000_000
MAX_SOURCES = 200
SOURCE_ENDINGS = frozenset({".txt", ".md", ".rst", ".html", ".csv", ".json", ".text"})


def add_source_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of sources that claims of fact are compared with."""
    parser.add_argument(
        "--sources",
        metavar="FILE_OR_FOLDER",
        nargs="+",
        action="extend",
        default=[],
        help="texts to check the claims of every answer against, in addition to the "
        "sources sent with a run",
    )


class ClaimOptions:
    """The parsed options; the judge is loaded on its first use."""

    def __init__(
        self, arguments: argparse.Namespace, settings: "ModelSettings | None"
    ) -> None:
        """Read the sources.

        Args:
            arguments: The arguments with `sources`.
            settings: Settings of models; None for none.

        Raises:
            OptionError: If a source cannot be read.
        """
        self._sources = read_sources(arguments.sources)
        self._settings = settings
        self._judge: ClaimJudge | None = None
        self._has_judge = False

    def with_sources(self, run: Interaction) -> Interaction:
        """Return a run with the sources of the options after its own."""
        if not self._sources:
            return run
        return replace(run, sources=[*(run.sources or ()), *self._sources])

    def inputs(self, run: Interaction, model: Model | None) -> ClaimInputs | None:
        """Return the inputs for checking a run's claims; None without sources.

        Raises:
            OptionError: If the operator's own judge cannot be loaded.
        """
        if not run.sources:
            return None
        if not self._has_judge:
            self._judge, self._has_judge = judge_of(self._settings), True
        # Local signs compare words; only a judge needs passages by meaning.
        embedder = None if self._judge is None else default_embedder()
        search = RunSearch(passages_of(run), embedder=embedder)
        return ClaimInputs(search, judge=self._judge, atomic_model=model)


def settings_of(
    arguments: argparse.Namespace, tier: Tier = Tier.LARGE
) -> "ModelSettings":
    """Read the models from the environment; the options override them."""
    from verifyhub.engine.llm.configure import from_environment

    settings = from_environment()
    if arguments.model_url:
        # The environment's key is only for the environment's address.
        settings = replace(
            settings, base_url=arguments.model_url, api_key=arguments.model_key
        )
    if arguments.model:
        models = {**settings.models, tier: arguments.model}
        settings = replace(settings, models=models)
    return settings


def judge_of(settings: "ModelSettings | None") -> ClaimJudge | None:
    """Return the operator's own judge, or the largest model's, or None.

    Args:
        settings: Settings of models; None for none.

    Raises:
        OptionError: If the folder of `VERIFYHUB_LOCAL_JUDGE` is invalid.
    """
    try:
        judge = configured_judge()
    except LocalJudgeError as error:
        raise OptionError(f"VERIFYHUB_LOCAL_JUDGE: {error}") from error
    if judge is not None or settings is None:
        return judge
    from verifyhub.engine.llm.configure import verifier_for

    # The model that wrote the answer is unknown here, so the largest model judges.
    model = verifier_for(str(Tier.LARGE), settings)
    return None if model is None else ModelClaimJudge(model)


def read_sources(names: Sequence[str]) -> list[dict[str, str]]:
    """Read sources in the form of a run: title and text.

    Args:
        names: Files, or folders whose text files are all read, in order.

    Raises:
        OptionError: If one cannot be read, or there are too many.
    """
    files = [file for name in names for file in _files(name)]
    if len(files) > MAX_SOURCES:
        raise OptionError(f"--sources: more than {MAX_SOURCES} files")
    return [{"title": str(file), "text": _text(file)} for file in files]


def _files(name: str) -> list[Path]:
    path = Path(name)
    if not path.is_dir():
        return [path]
    files = sorted(
        file
        for file in path.rglob("*")
        if file.suffix.lower() in SOURCE_ENDINGS
        and file.is_file()
        and not file.is_symlink()
    )
    if not files:
        endings = " ".join(sorted(SOURCE_ENDINGS))
        raise OptionError(f"--sources: {name} contains no text file ({endings})")
    return files


def _text(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_SOURCE_BYTES + 1)
    except OSError as error:
        raise OptionError(f"--sources: {file}: {error.strerror}") from error
    if len(data) > MAX_SOURCE_BYTES:
        raise OptionError(f"--sources: {file}: more than {MAX_SOURCE_BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise OptionError(f"--sources: {file}: not UTF-8 text") from error
