"""Pages of alerts and of weekly reports."""

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.common.http import posted_from
from verifyhub.common.long_lists import BoundedPaginator
from verifyhub.reports.forms import AlertRuleForm, PlanForm
from verifyhub.reports.letters import report_page
from verifyhub.reports.models import AlertRule, ReportPlan
from verifyhub.reports.selectors import lists
from verifyhub.reports.services import alerts, mail, weekly

PAGE_SIZE = 25
LETTERS_SHOWN = 5
MANAGE = "alerts.manage"


@project_page(MANAGE, "GET", "POST")
def alert_list(request: ProjectRequest) -> HttpResponse:
    """Show the rules, current and past alerts; create a rule."""
    form = _rule_form(request)
    if request.method != "POST":
        return _alerts(request, form)
    if not (form.is_valid() and _saved(request, form)):
        return _alerts(request, form, status=422)
    messages.success(request, _("Saved. It is checked every minute."))
    return redirect("reports:alerts", request.project.slug)


@project_page(MANAGE, "GET", "POST")
def rule_edit(request: ProjectRequest, rule_id: UUID) -> HttpResponse:
    """Change a rule."""
    rule = get_object_or_404(lists.rules(request.project), pk=rule_id)
    form = _rule_form(request, rule)
    if request.method == "POST":
        if form.is_valid() and _saved(request, form):
            messages.success(request, _("Saved. It is checked every minute."))
            return redirect("reports:alerts", request.project.slug)
        rule.refresh_from_db()
        return _rule(request, form, rule, status=422)
    return _rule(request, form, rule)


@project_page(MANAGE, "POST")
def rule_delete(request: ProjectRequest, rule_id: UUID) -> HttpResponse:
    """Delete a rule with its alerts."""
    rule = get_object_or_404(lists.rules(request.project), pk=rule_id)
    alerts.delete_rule(rule=rule, actor=request.user)
    messages.success(request, _("%(name)s is deleted.") % {"name": rule.name})
    return redirect("reports:alerts", request.project.slug)


@project_page(MANAGE, "POST")
def trial_letter(request: ProjectRequest) -> HttpResponse:
    """Send the current user a test e-mail."""
    try:
        mail.send_trial_letter(member=request.membership, actor=request.user)
    except mail.NoAddressError:
        message = (
            _("No e-mail address: enter one in your settings.")
            if settings.EMAIL_HOST
            else _("This server sends no e-mail: VERIFYHUB_EMAIL_HOST is not set.")
        )
        messages.error(request, message)
    else:
        messages.success(request, _("A test e-mail is being sent to your address."))
    return redirect("reports:alerts", request.project.slug)


@project_page("metrics.view", "GET")
def report_list(request: ProjectRequest) -> HttpResponse:
    """List the weekly reports, and the time of the next one."""
    plan = lists.plan_of(request.project)
    return _reports(request, PlanForm(project=request.project, instance=plan))


@posted_from("reports:list")
@project_page(MANAGE)
def plan_save(request: ProjectRequest) -> HttpResponse:
    """Set the schedule and recipients of reports."""
    plan = lists.plan_of(request.project)
    form = PlanForm(request.POST, project=request.project, instance=plan)
    if not form.is_valid():
        return _reports(request, form, status=422)
    weekly.save_plan(
        plan=form.save(commit=False),
        recipients=form.cleaned_data["recipients"],
        actor=request.user,
    )
    messages.success(request, _("Saved."))
    return redirect("reports:list", request.project.slug)


@project_page(MANAGE, "POST")
def report_make(request: ProjectRequest) -> HttpResponse:
    """Create the report of the last seven full days now, without e-mails."""
    report = weekly.make_report(project=request.project, now=timezone.now())
    return redirect("reports:report", request.project.slug, report.id)


@project_page("metrics.view", "GET")
def report(request: ProjectRequest, report_id: UUID) -> HttpResponse:
    """Show one report, or with `download` send it as a self-contained page."""
    row = get_object_or_404(lists.reports(request.project), pk=report_id)
    if "download" in request.GET:
        page = report_page(row, request.project)
        response = HttpResponse(page, content_type="text/html; charset=utf-8")
        name = f"{request.project.slug}-week-to-{row.last_day.isoformat()}.html"
        response["Content-Disposition"] = f'attachment; filename="{name}"'
        return response
    context = {"report": row, "figures": row.figures}
    return render(request, "reports/report.html", context)


def _rule_form(request: ProjectRequest, rule: AlertRule | None = None) -> AlertRuleForm:
    sent = request.POST if request.method == "POST" else None
    return AlertRuleForm(sent, project=request.project, instance=rule)


def _saved(request: ProjectRequest, form: AlertRuleForm) -> bool:
    try:
        alerts.save_rule(
            rule=form.save(commit=False),
            recipients=form.cleaned_data["recipients"],
            actor=request.user,
        )
    except alerts.RuleNameTakenError:
        form.add_error("name", _("Another rule has this name."))
        return False
    return True


def _alerts(
    request: ProjectRequest, form: AlertRuleForm, *, status: int = 200
) -> HttpResponse:
    rows = lists.alerts(request.project).exclude(cleared_at=None)
    context = {
        "form": form,
        "rules": lists.rules(request.project),
        "current": lists.current_alerts(request.project),
        "page": BoundedPaginator(rows, PAGE_SIZE).get_page(request.GET.get("page")),
        "mail_is_set": bool(settings.EMAIL_HOST),
        "letters": lists.letters(request.project)[:LETTERS_SHOWN],
    }
    return render(request, "reports/alerts.html", context, status=status)


def _rule(
    request: ProjectRequest, form: AlertRuleForm, rule: AlertRule, *, status: int = 200
) -> HttpResponse:
    context = {"form": form, "rule": rule, "mail_is_set": bool(settings.EMAIL_HOST)}
    return render(request, "reports/rule.html", context, status=status)


def _reports(
    request: ProjectRequest, form: PlanForm, *, status: int = 200
) -> HttpResponse:
    plan: ReportPlan = lists.plan_of(request.project)
    rows = lists.reports(request.project)
    context = {
        "form": form,
        "plan": plan,
        "next_at": weekly.next_at(plan, timezone.now()) if plan.enabled else None,
        "page": BoundedPaginator(rows, PAGE_SIZE).get_page(request.GET.get("page")),
        "may_manage": can(request.membership.role, MANAGE),
        "mail_is_set": bool(settings.EMAIL_HOST),
    }
    return render(request, "reports/list.html", context, status=status)
