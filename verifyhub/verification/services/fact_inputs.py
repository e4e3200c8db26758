"""Sources and judges of claims of fact, on this server."""

from verifyhub.common.logs import get_logger
from verifyhub.engine.claims.check import ClaimInputs
from verifyhub.engine.claims.judges import ClaimJudge
from verifyhub.engine.claims.model_judge import ModelClaimJudge
from verifyhub.engine.local_models.judge import LocalJudgeError, configured_judge
from verifyhub.engine.types import Interaction as Run
from verifyhub.inference.services import MeteredModel
from verifyhub.ingest.models import Interaction
from verifyhub.knowledge.services import search_for
from verifyhub.verification.check_choices import Claims
from verifyhub.verification.services.project_setup import ProjectSetup

logger = get_logger(__name__)


def wants_claims(setup: ProjectSetup, run: Run) -> bool:
    """Whether the claims of fact of a run are compared with evidence.

    `auto`, the default, does where the run sends sources or the project has documents:
    so a run without either is answered as it was before there were claims.
    """
    if setup.project.claims_checked == Claims.NEVER:
        return False
    if setup.project.claims_checked == Claims.ALWAYS or run.sources:
        return True
    return setup.has_knowledge


def claim_inputs(
    setup: ProjectSetup,
    interaction: Interaction,
    run: Run,
    model: MeteredModel | None,
    *,
    layers: bool = False,
) -> ClaimInputs | None:
    """Return the inputs for checking a run's claims; None if they are not checked.

    Args:
        setup: What the project set up.
        interaction: The answer's row.
        run: The same as the engine reads it.
        model: The model one tier above the executor; None to do without.
        layers: Whether detection layers search too: they and judges read what means
            the same, local signs compare words.
    """
    if not wants_claims(setup, run):
        return None
    judge = judge_of(model)
    search = search_for(interaction, run, embedded=layers or judge is not None)
    return ClaimInputs(search=search, judge=judge, atomic_model=model)


def own_judge() -> ClaimJudge | None:
    """Return the judge that the operator installed; None without a usable one.

    A folder that cannot be used is said in the log, and `verifyhub doctor` and the
    command line refuse it: verdicts go on without it.
    """
    try:
        return configured_judge()
    except LocalJudgeError as error:
        logger.error("claims.local_judge_unusable", error=str(error))
        return None


def judge_of(model: MeteredModel | None) -> ClaimJudge | None:
    """Return the judge of claims: the operator's local one, else the model."""
    installed = own_judge()
    if installed is not None:
        return installed
    return None if model is None else ModelClaimJudge(model)
