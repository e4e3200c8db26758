"""Memory and settings of a project, below `/p/<slug>/`."""

from django.urls import path

from verifyhub.memory import views

app_name = "memory"

urlpatterns = [
    path("memory/", views.browser, name="browser"),
    path("memory/next-prompt/", views.next_prompt, name="next-prompt"),
    path(
        "memory/constraints/<uuid:constraint_id>/<slug:verb>/",
        views.constraint_act,
        name="constraint-act",
    ),
    path(
        "memory/entries/<uuid:entry_id>/<slug:verb>/",
        views.entry_act,
        name="entry-act",
    ),
    path("settings/", views.settings, name="settings"),
    path("settings/tools/", views.tool_rules, name="tool-rules"),
]
