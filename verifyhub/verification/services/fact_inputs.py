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


def wants_claims(setup: ProjectSetup, interaction: Interaction) -> bool:
    """Whether the claims of fact of an answer are compared with evidence.

    With `auto`, the default, they are if the run has sources or the project documents.
    """
    if setup.project.claims_checked == Claims.NEVER:
        return False
    if setup.project.claims_checked == Claims.ALWAYS or interaction.sources:
        return True
    return setup.has_knowledge


def claim_inputs(
    interaction: Interaction,
    run: Run,
    model: MeteredModel | None,
    *,
    layers: bool = False,
) -> ClaimInputs:
    """Return the inputs for checking a run's claims.

    Args:
        interaction: The answer's row.
        run: The same run in the engine's form.
        model: The model one tier above the executor; None for none.
        layers: Whether detection layers search too. Layers and judges need passages by
            meaning, local signs compare words.
    """
    judge = judge_of(model)
    search = search_for(interaction, run, embedded=layers or judge is not None)
    return ClaimInputs(search=search, judge=judge, atomic_model=model)


def own_judge() -> ClaimJudge | None:
    """Return the judge that the operator installed; None without a usable one.

    An unusable folder is logged, and `verifyhub doctor` and the command line report it;
    verdicts do without it.
    """
    try:
        return configured_judge()
    except LocalJudgeError as error:
        logger.error("claims.local_judge_unusable", error=str(error))
        return None


def judge_of(model: MeteredModel | None) -> ClaimJudge | None:
    """Return the judge of claims: the operator's local one, or the model."""
    installed = own_judge()
    if installed is not None:
        return installed
    return None if model is None else ModelClaimJudge(model)
