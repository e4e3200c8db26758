"""Checks of `verifyhub doctor` for models, budgets and declared folders."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from verifyhub.cli.findings import DoctorFinding, failed, ok, warning

if TYPE_CHECKING:
    from verifyhub.inference.models import ModelProbe
    from verifyhub.inference.selectors import ModelInForce

# Maximum time of a probe, enough for a slow start of a model.
MAX_PROBE_SECONDS = 30.0
WORKS = {"forced_tool": "forced calls work", "json_schema": "JSON schemas work"}


def server_models() -> list[DoctorFinding]:
    """Probe the server's own models, tier by tier; each is a real, small call."""
    from django.conf import settings

    from verifyhub.inference.adapters import ask_probe
    from verifyhub.inference.selectors import server_models_in_force

    if not settings.MODELS.base_url:
        return [ok("none on the server; verification works without models")]
    models = server_models_in_force()
    if not models:
        return [warning("VERIFYHUB_MODEL_URL is set, but no tier has a model")]
    findings = []
    for model in models:
        result = ask_probe(_hurried(model))
        finding = _as_finding(
            model, str(result.reply_mode or ""), result.latency_seconds, result.message
        )
        findings.append(finding)
    return findings


def project_models() -> list[DoctorFinding]:
    """Probe the projects' own models, on each project's budget."""
    from verifyhub.accounts.models import Project
    from verifyhub.engine.ports import ModelError
    from verifyhub.inference.selectors import ModelSource, models_in_force
    from verifyhub.inference.services import probe_model

    findings = []
    for project in Project.objects.order_by("slug"):
        models = [
            model
            for second in (False, True)
            for model in models_in_force(project, second=second).values()
            if model.source is ModelSource.PROJECT
        ]
        for model in models:
            try:
                probe = probe_model(project=project, model=_hurried(model))
            except ModelError as error:
                findings.append(warning(f"{project.slug}: {_name(model)}: {error}"))
            else:
                findings.append(_of_project(project.slug, model, probe))
    return findings or [ok("no project has its own models")]


def budgets() -> list[DoctorFinding]:
    """Return the projects whose calls wait for a cap."""
    from django.utils import timezone

    from verifyhub.accounts.models import Project
    from verifyhub.inference.selectors import budget_state

    findings = []
    for project in Project.objects.filter(budget__isnull=False).order_by("slug"):
        state = budget_state(project, timezone.now())
        if state.waiting_for is not None:
            until = f"{state.resumes_at:%Y-%m-%d %H:%M} UTC" if state.resumes_at else ""
            text = f"{project.slug} has reached its limit on {state.waiting_for.words}"
            findings.append(warning(f"{text}; models are used again from {until}"))
    return findings or [ok("no project has reached a limit")]


def local_judge() -> list[DoctorFinding]:
    """Load the operator's own judge of claims, or report the invalid file."""
    from verifyhub.engine.local_models.judge import LocalJudgeError, configured_judge

    try:
        judge = configured_judge()
    except LocalJudgeError as error:
        return [failed(str(error))]
    if judge is None:
        return [ok("none installed; claims are judged by a model or by local signals")]
    return [ok(f"{judge.name} loads and runs")]


def workspaces() -> list[DoctorFinding]:
    """Return whether files can be read, and which declared folder is missing."""
    from django.conf import settings

    from verifyhub.common.beneath import is_supported

    if not settings.WORKSPACE_ROOTS:
        can = "" if is_supported() else "; this kernel has no openat2"
        return [ok(f"no folder is configured{can}")]
    if not is_supported():
        text = (
            "this kernel has no openat2: claims about files are checked against "
            "the trace and the manifest only"
        )
        return [warning(text)]
    missing = [
        failed(f"{slug}: {root} is not a folder")
        for slug, root in settings.WORKSPACE_ROOTS.items()
        if not Path(root).is_dir()
    ]
    count = len(settings.WORKSPACE_ROOTS)
    return missing or [ok(f"openat2 works; {count} configured, all exist")]


def _of_project(slug: str, model: "ModelInForce", probe: "ModelProbe") -> DoctorFinding:
    seconds = (probe.latency_ms or 0) / 1000
    finding = _as_finding(model, probe.reply_mode, seconds, probe.message)
    return replace(finding, text=f"{slug}: {finding.text}")


def _as_finding(
    model: "ModelInForce", reply_mode: str, seconds: float, message: str
) -> DoctorFinding:
    name = _name(model)
    if not reply_mode:
        return failed(f"{name}: {message}")
    price = "price known" if model.has_price else "no price: only tokens are limited"
    return ok(f"{name}: {WORKS[reply_mode]}, {seconds:.1f} s, {price}")


def _name(model: "ModelInForce") -> str:
    second = " (second)" if model.is_second else ""
    return f"{model.tier}{second} {model.model}"


def _hurried(model: "ModelInForce") -> "ModelInForce":
    seconds = min(model.deadline_seconds, MAX_PROBE_SECONDS)
    return replace(model, deadline_seconds=seconds)
