"""Sign in and out, a person's settings, a project's API keys."""

from django.contrib.auth import views as auth_views
from django.urls import path
from django.views.i18n import set_language

from verifyhub.accounts import profile_views, views

app_name = "accounts"

urlpatterns = [
    path(
        "accounts/login/",
        auth_views.LoginView.as_view(
            template_name="accounts/login.html", redirect_authenticated_user=True
        ),
        name="login",
    ),
    path("accounts/logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("accounts/language/", set_language, name="language"),
    path("accounts/profile/", profile_views.profile, name="profile"),
    path("accounts/profile/password/", profile_views.password, name="password"),
    path("p/<slug:slug>/keys/", views.key_list, name="key-list"),
    path(
        "p/<slug:slug>/keys/<uuid:key_id>/rotate/", views.key_rotate, name="key-rotate"
    ),
    path(
        "p/<slug:slug>/keys/<uuid:key_id>/revoke/", views.key_revoke, name="key-revoke"
    ),
]
