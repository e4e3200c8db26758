"""The engine in this process as a hub, in threads or asyncio."""

from verifyhub.embedded.local import LocalChecker, VerifierFor, no_model
from verifyhub.engine.claims.judges import ClaimJudge
from verifyhub.engine.levels.run import LevelInputs
from verifyhub.engine.thresholds import Thresholds
from verifyhub_client.hubs import AsyncHub, SyncHub


class LocalHub(SyncHub):
    """The engine in this process, with no server; memory lasts as long as the object.

    Args:
        thresholds: The cut-offs; requirement A8's unless told.
        verifier_for: Gives the model that checks an executor's tier; none unless told.
        level_inputs: Schemas of tools and files to look at.
        judge: Settles statements of fact of runs that bring sources.
    """

    def __init__(
        self,
        *,
        thresholds: Thresholds | None = None,
        verifier_for: VerifierFor = no_model,
        level_inputs: LevelInputs | None = None,
        judge: ClaimJudge | None = None,
    ) -> None:
        super().__init__(
            LocalChecker(
                thresholds=thresholds,
                verifier_for=verifier_for,
                level_inputs=level_inputs,
                judge=judge,
            )
        )


class AsyncLocalHub(AsyncHub):
    """The engine in this process, for asyncio; see `LocalHub`."""

    def __init__(
        self,
        *,
        thresholds: Thresholds | None = None,
        verifier_for: VerifierFor = no_model,
        level_inputs: LevelInputs | None = None,
        judge: ClaimJudge | None = None,
    ) -> None:
        super().__init__(
            LocalChecker(
                thresholds=thresholds,
                verifier_for=verifier_for,
                level_inputs=level_inputs,
                judge=judge,
            )
        )
