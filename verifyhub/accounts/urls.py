"""URLs of sign-in, personal settings and API keys."""

from django.contrib.auth import views as auth_views
from django.urls import path
from django.views.i18n import set_language

from verifyhub.accounts import (
    door_views,
    oidc_views,
    people_views,
    profile_views,
    second_factor_views,
    views,
)

app_name = "accounts"

FACTOR = "accounts/profile/second-factor/"
MEMBER = "p/<slug:slug>/people/<int:member_id>/"
PEOPLE = "p/<slug:slug>/people/"
KEYS = "p/<slug:slug>/keys/"

urlpatterns = [
    path("accounts/login/", door_views.SignInView.as_view(), name="login"),
    path("accounts/login/code/", second_factor_views.sign_in_code, name="sign-in-code"),
    path("accounts/logout/", auth_views.LogoutView.as_view(), name="logout"),
    path(
        "accounts/password/forgotten/",
        door_views.password_forgotten,
        name="password-forgotten",
    ),
    # These URLs contain a secret, which `common.middleware` does not log.
    path(
        "accounts/password/set/<uidb64>/<token>/",
        door_views.PasswordSetView.as_view(),
        name="password-set",
    ),
    path("accounts/join/<str:token>/", door_views.join_link, name="join-link"),
    path("accounts/oidc/", oidc_views.begin, name="oidc"),
    path("accounts/oidc/callback/", oidc_views.callback, name="oidc-callback"),
    path("accounts/join/", door_views.join, name="join"),
    path("accounts/language/", set_language, name="language"),
    path("accounts/profile/", profile_views.profile, name="profile"),
    path("accounts/profile/password/", profile_views.password, name="password"),
    path(FACTOR, second_factor_views.own, name="second-factor"),
    path(
        f"{FACTOR}confirm/", second_factor_views.confirm, name="second-factor-confirm"
    ),
    path(f"{FACTOR}codes/", second_factor_views.codes, name="second-factor-codes"),
    path(f"{FACTOR}off/", second_factor_views.off, name="second-factor-off"),
    path("projects/new/", people_views.project_new, name="project-new"),
    path(PEOPLE, people_views.people, name="people"),
    path(f"{PEOPLE}name/", people_views.rename, name="project-rename"),
    path(f"{MEMBER}role/", people_views.role, name="role"),
    path(f"{MEMBER}remove/", people_views.remove, name="member-remove"),
    path(f"{MEMBER}password/", people_views.password_link, name="password-link"),
    path(f"{MEMBER}second-factor/", second_factor_views.reset, name="factor-reset"),
    path(f"{PEOPLE}second-factor/", second_factor_views.rule, name="factor-rule"),
    path(
        f"{PEOPLE}invitations/<uuid:invitation_id>/withdraw/",
        people_views.withdraw,
        name="invitation-withdraw",
    ),
    path("p/<slug:slug>/leave/", people_views.leave, name="leave"),
    path("p/<slug:slug>/leave/hand-over/", people_views.give, name="hand-over"),
    path(KEYS, views.key_list, name="key-list"),
    path(f"{KEYS}<uuid:key_id>/rotate/", views.key_rotate, name="key-rotate"),
    path(f"{KEYS}<uuid:key_id>/revoke/", views.key_revoke, name="key-revoke"),
]
