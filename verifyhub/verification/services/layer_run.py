"""Run detection layers with a project's models, profiles and calibrations."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from verifyhub.accounts.models import Project
from verifyhub.common.contract import ANY_TEXT, AS_WHOLE, ContractModel, reader_of
from verifyhub.engine.decisions.detection import raised, subject_of
from verifyhub.engine.judging.metered import Metered
from verifyhub.engine.layer_results import DetectionResult, LayerName, Risk, RiskLevel
from verifyhub.engine.layers.base import EntropyBy, LayerOptions, LayerTools
from verifyhub.engine.layers.run import run_layers
from verifyhub.engine.local_models.embedder import default_embedder
from verifyhub.engine.passages import PassageSearch
from verifyhub.engine.ports import ModelUsage
from verifyhub.engine.risk.assess import assess_risk
from verifyhub.engine.risk.profiles import Profile, read_profiles
from verifyhub.engine.types import Interaction as Run
from verifyhub.inference.models import Budget
from verifyhub.inference.services import verifier_for
from verifyhub.ingest.selectors import to_engine
from verifyhub.knowledge.services import search_in
from verifyhub.learning.selectors.in_force import calibrators_in_force
from verifyhub.verification.models import Detection
from verifyhub.verification.services.fact_inputs import own_judge


def _source(value: Any) -> Any:
    text = value.get("text", value.get("content")) if isinstance(value, dict) else value
    if not isinstance(text, str):
        raise ValueError("must be a text, or an object with `text` or `content`.")
    return value


def _with(name: str, **more: Any) -> dict[str, Any]:
    text = {name: {"type": "string"}}
    keys = {"propertyNames": {"pattern": ANY_TEXT}}
    return {"type": "object", "required": [name], "properties": text, **keys, **more}


def _described(description: str, **more: Any) -> Any:
    # Classes do not inherit the docstring of a field.
    return Field(description=description, **more)


# As in an interaction.
Source = Annotated[
    Any,
    AfterValidator(_source),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string"},
                _with("text"),
                _with("content", **{"not": {"required": ["text"]}}),
            ]
        }
    ),
]
Cap = Annotated[int, Field(ge=1, le=2**31 - 1), AS_WHOLE]
LayerNames = Annotated[
    tuple[LayerName, ...], AfterValidator(lambda names: tuple(dict.fromkeys(names)))
]


@dataclass(frozen=True, kw_only=True)
class Caps(ContractModel):
    """Bounds of a run of layers; null leaves them to the profile."""

    risk: Annotated[
        RiskLevel | None,
        BeforeValidator(lambda level: None if level == "" else level),
        _described(
            "Use the profile of this risk level; by default, the risk is assessed."
        ),
    ] = None
    max_latency_ms: Annotated[
        Cap | None, _described("Maximum duration; the profile's limit also applies.")
    ] = None
    max_cost_microdollars: Annotated[
        Cap | None,
        _described(
            "Maximum cost in millionths of a US dollar; the profile's limit also "
            "applies."
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class LayersRequest(Caps):
    """Which layers to run."""

    layers: LayerNames = ()
    """Run only these layers, regardless of the profile."""


@dataclass(frozen=True, kw_only=True)
class Subject(ContractModel):
    """A text to run layers over, and its sources."""

    text: Annotated[str, _described("The text to check.")]
    task: Annotated[str, _described("The question or task that the text answers.")] = ""
    context: Annotated[
        str, _described("The context from which the text was generated.")
    ] = ""
    sources: Annotated[
        tuple[Source, ...],
        _described(
            "Texts that may speak for or against it: strings, or objects with `title`"
            " and `text`.",
            max_length=1000,
        ),
    ] = ()


def enabled_layers(project: Project) -> Collection[LayerName]:
    """Return the layers that a project has not disabled."""
    return [name for name in LayerName if str(name) not in project.layers_off]


def assess_by_rules(
    project: Project, *, text: str, context: str, level: RiskLevel | None = None
) -> Risk:
    """Assess the risk of a text by rules alone, without waiting for a model.

    Args:
        project: The tenant; its own level applies if it has one.
        text: The text to assess.
        context: The question or task that the text answers.
        level: The caller's level; None to assess it.
    """
    chosen = level or project.risk_level
    override = RiskLevel(chosen) if chosen else None
    return assess_risk(text, context, override=override)


def run_stored_layers(detection_id: UUID) -> DetectionResult:
    """Run the layers of a stored request; call it outside any transaction."""
    row = Detection.objects.select_related("project", "interaction").get(
        pk=detection_id
    )
    project, layers_request = row.project, reader_of(LayersRequest).read(row.asked)
    run = _run_of(row)
    subject = subject_of(run)
    if row.context:
        subject = replace(subject, context=row.context)
    session = row.interaction.session_id if row.interaction else None
    search = search_in(project, run, session_id=session)
    # The budget of one verdict applies to a detection too.
    tier = row.interaction.agent_tier if row.interaction else ""
    tools = layer_tools(project, tier, row.id, search)
    usages: list[ModelUsage] = []
    risk = _risk(project, run, layers_request, tools, usages)
    profile = capped(read_profiles(project.risk_profiles)[risk.level], layers_request)
    return run_layers(
        subject,
        tools=tools,
        risk=risk,
        profile=profile,
        calibrators=calibrators_in_force(project),
        enabled=enabled_layers(project),
        spent=usages,
    )


def capped(profile: Profile, layers_request: LayersRequest) -> Profile:
    """Return a profile with the requested layers and the lower caps."""
    layers = tuple(name for name in LayerName if str(name) in layers_request.layers)
    seconds, money = profile.latency_seconds, profile.microdollars
    if layers_request.max_latency_ms is not None:
        seconds = min(seconds, layers_request.max_latency_ms / 1000)
    if layers_request.max_cost_microdollars is not None:
        money = min(money, layers_request.max_cost_microdollars)
    return replace(
        profile,
        layers=layers or profile.layers,
        latency_seconds=seconds,
        microdollars=money,
    )


def _risk(
    project: Project,
    run: Run,
    layers_request: LayersRequest,
    tools: LayerTools,
    usages: list[ModelUsage],
) -> Risk:
    chosen = layers_request.risk or project.risk_level
    model = Metered(tools.verifier) if tools.verifier is not None else None
    risk = assess_risk(
        run.answer,
        run.task,
        model=model,
        override=RiskLevel(chosen) if chosen else None,
    )
    usages += model.usages if model else []
    # A requested profile applies as it is; a run may still raise the project's.
    return risk if layers_request.risk else raised(risk, run)


def _run_of(row: Detection) -> Run:
    if row.interaction is not None:
        return to_engine(row.interaction)
    return Run(task=row.task, answer=row.text, sources=row.sources or None)


def layer_tools(
    project: Project, tier: str, row_id: UUID, search: PassageSearch | None
) -> LayerTools:
    """Return the tools of layers, with usage charged to one row."""
    model = verifier_for(project=project, executor_tier=tier, verification_id=row_id)
    entropy_by = EntropyBy(project.entropy_by)
    budget = Budget.objects.filter(project=project).first()
    return LayerTools(
        text_model=model,
        verifier=model,
        search=search,
        judge=own_judge(),
        embedder=default_embedder() if entropy_by is EntropyBy.COSINE else None,
        options=LayerOptions(entropy_by=entropy_by),
        calls_at_once=budget.calls_at_once if budget else None,
    )
