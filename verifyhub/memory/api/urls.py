"""Memory under the API's root."""

from django.urls import path

from verifyhub.memory.api import views

urlpatterns = [
    # `path`, because a client's session key may hold slashes.
    path(
        "sessions/<path:session>/context/",
        views.SessionContextView.as_view(),
        name="api-session-context",
    ),
    path("constraints/", views.ConstraintListView.as_view(), name="api-constraints"),
]
