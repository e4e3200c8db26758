"""Pages about projects and their members."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from verifyhub.accounts import invitations, letters
from verifyhub.accounts import people as services
from verifyhub.accounts.forms import (
    FactorRuleForm,
    HandOverForm,
    InviteForm,
    ProjectForm,
    RoleForm,
)
from verifyhub.accounts.models import Membership, Role, User
from verifyhub.accounts.passwords import (
    PasswordLinkRefusedError,
    make_password_link,
    may_make_link,
)
from verifyhub.accounts.permissions import (
    ProjectRequest,
    SignedInRequest,
    may_start_projects,
    project_page,
)
from verifyhub.accounts.selectors import members, usable_invitations
from verifyhub.accounts.services import LastAdminError, set_role
from verifyhub.common.http import posted_from

SHOWN = 500


@never_cache
@project_page("people.manage", "GET", "POST")
def people(request: ProjectRequest) -> HttpResponse:
    """List members and invitations; a new one is answered with its link, this once."""
    if request.method == "GET":
        return _page(request)
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _page(request, invite_form=form, status=422)
    row, link = invitations.invite(
        project=request.project,
        role=Role(form.cleaned_data["role"]),
        actor=request.membership.user,
        email=form.cleaned_data["email"],
        days=form.cleaned_data["days"],
    )
    sent = _sent(row, link) if row.email else None
    return _page(request, link=link, invited=row, sent=sent, status=201)


def _sent(row: Any, link: str) -> bool:
    try:
        letters.send_invitation(invitation=row, link=link)
    except letters.LetterNotSentError:
        return False
    return True


@posted_from("accounts:people")
@project_page("people.manage")
def withdraw(request: ProjectRequest, invitation_id: UUID) -> HttpResponse:
    """Revoke an invitation's link."""
    open_ones = usable_invitations().filter(project=request.project)
    row = get_object_or_404(open_ones, id=invitation_id)
    try:
        invitations.withdraw_invitation(invitation=row, actor=request.membership.user)
    except invitations.InvitationClosedError:
        messages.info(request, _("The invitation has already ended."))
    else:
        messages.success(request, _("The invitation is withdrawn."))
    return _back(request)


@posted_from("accounts:people")
@project_page("people.manage")
def rename(request: ProjectRequest) -> HttpResponse:
    """Give the project another name."""
    form = ProjectForm(request.POST)
    if not form.is_valid():
        return _page(request, name_form=form, status=422)
    services.rename_project(
        project=request.project,
        name=form.cleaned_data["name"],
        actor=request.membership.user,
    )
    messages.success(request, _("The project's name is saved."))
    return _back(request)


@posted_from("accounts:people")
@project_page("people.manage")
def role(request: ProjectRequest, member_id: int) -> HttpResponse:
    """Change a member's role."""
    member, form = _member(request, member_id), RoleForm(request.POST)
    if not form.is_valid():
        return _page(request, status=422)
    chosen = Role(form.cleaned_data["role"])
    try:
        set_role(
            project=request.project,
            user=member.user,
            role=chosen,
            actor=request.membership.user,
        )
    except LastAdminError:
        messages.error(request, _last_admin(member.user))
    else:
        messages.success(
            request,
            _("%(name)s has the role %(role)s.")
            % {"name": member.user, "role": chosen.label},
        )
    if member.pk == request.membership.pk and chosen != Role.ADMIN:
        return redirect("review:queue", slug=request.project.slug)
    return _back(request)


@project_page("people.manage", "GET", "POST")
def remove(request: ProjectRequest, member_id: int) -> HttpResponse:
    """Ask before a member is removed, then remove them."""
    member = _member(request, member_id)
    if member.pk == request.membership.pk:
        return redirect("accounts:leave", slug=request.project.slug)
    if request.method == "GET":
        return render(request, "accounts/member_remove.html", {"member": member})
    try:
        services.remove_member(
            project=request.project, user=member.user, actor=request.membership.user
        )
    except LastAdminError:
        messages.error(request, _last_admin(member.user))
    except services.NotAMemberError:
        messages.info(request, _("%(name)s has already left.") % {"name": member.user})
    else:
        messages.success(
            request,
            _("%(name)s is no longer in this project.") % {"name": member.user},
        )
    return _back(request)


@never_cache
@posted_from("accounts:people")
@project_page("people.manage")
def password_link(request: ProjectRequest, member_id: int) -> HttpResponse:
    """Answer with a link with which a member chooses a new password."""
    member = _member(request, member_id)
    try:
        link = make_password_link(
            user=member.user, actor=request.membership.user, project=request.project
        )
    except PasswordLinkRefusedError as error:
        raise PermissionDenied from error
    return _page(request, link=link, reset=member.user, status=201)


@project_page("answers.view", "GET", "POST")
def leave(request: ProjectRequest) -> HttpResponse:
    """Ask before somebody leaves, or hands over, then let them go."""
    if request.method == "GET":
        return _leave_page(request)
    user = request.membership.user
    try:
        services.remove_member(project=request.project, user=user, actor=user)
    except LastAdminError:
        return _leave_page(request, is_last=True, status=409)
    messages.success(
        request, _("You have left %(project)s.") % {"project": request.project.name}
    )
    return redirect("project-list")


@posted_from("accounts:leave")
@project_page("people.manage")
def give(request: ProjectRequest) -> HttpResponse:
    """Make another member admin in place of the current person."""
    form = HandOverForm(request.POST, others=_others(request))
    if not form.is_valid():
        return _leave_page(request, form=form, status=422)
    giver, receiver = request.membership.user, form.cleaned_data["receiver"]
    services.hand_over(
        project=request.project,
        giver=giver,
        receiver=receiver,
        keeps=form.role(),
        actor=giver,
    )
    messages.success(
        request,
        _("%(name)s is now an admin of %(project)s.")
        % {"name": receiver, "project": request.project.name},
    )
    if form.role() is None:
        return redirect("project-list")
    return redirect("review:queue", slug=request.project.slug)


@require_http_methods(["GET", "POST"])
@login_required
def project_new(request: SignedInRequest) -> HttpResponse:
    """Create a project; its creator becomes its admin."""
    user = request.user
    if not may_start_projects(user):
        raise PermissionDenied
    form = ProjectForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            project = services.start_project(name=form.cleaned_data["name"], admin=user)
        except services.PeopleError:
            has_slug = bool(slugify(form.cleaned_data["name"]))
            form.add_error(
                "name",
                _("Another project has this name or a similar one.")
                if has_slug
                else _("Use at least one letter from a to z, or a digit."),
            )
        else:
            return redirect("review:start", slug=project.slug)
    status = 422 if form.errors else 200
    return render(request, "accounts/project_new.html", {"form": form}, status=status)


def _member(request: ProjectRequest, member_id: int) -> Membership:
    return get_object_or_404(members(request.project.id), user_id=member_id)


def _others(request: ProjectRequest) -> Any:
    return (
        User.objects.filter(is_active=True, memberships__project=request.project)
        .exclude(pk=request.membership.user_id)
        .order_by("username")
    )


def _last_admin(user: User) -> str:
    return _(
        "%(name)s is the only admin of this project: make another member an admin "
        "first."
    ) % {"name": user}


def _back(request: ProjectRequest) -> HttpResponse:
    return redirect("accounts:people", slug=request.project.slug)


def _leave_page(
    request: ProjectRequest,
    *,
    form: HandOverForm | None = None,
    is_last: bool = False,
    status: int = 200,
) -> HttpResponse:
    others = _others(request)
    is_admin = request.membership.role == Role.ADMIN
    admins = members(request.project.id).filter(role=Role.ADMIN, user__is_active=True)
    context = {
        "is_admin": is_admin,
        "is_last": is_last or (is_admin and admins.count() == 1),
        "form": form or HandOverForm(others=others),
        "has_others": others.exists(),
    }
    return render(request, "accounts/leave.html", context, status=status)


def _page(
    request: ProjectRequest,
    *,
    invite_form: InviteForm | None = None,
    name_form: ProjectForm | None = None,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    actor = request.membership.user
    context = {
        "members": [
            {"row": member, "may_link": may_make_link(actor=actor, user=member.user)}
            for member in members(request.project.id)[:SHOWN]
        ],
        "invitations": list(usable_invitations().filter(project=request.project)),
        "roles": Role.choices,
        "has_mail": bool(settings.EMAIL_HOST),
        "invite_form": invite_form or InviteForm(initial={"role": Role.REVIEWER}),
        "rule_form": FactorRuleForm(
            initial={"role": request.project.second_factor_from}
        ),
        "name_form": name_form or ProjectForm(initial={"name": request.project.name}),
        **more,
    }
    return render(request, "accounts/people.html", context, status=status)
