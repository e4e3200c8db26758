"""Memory and settings of a project, below `/p/<slug>/`."""

from django.urls import path

from verifyhub.memory.pages import (
    constraint_views,
    entry_views,
    search_views,
    shared_views,
    snapshot_views,
    views,
)

app_name = "memory"

urlpatterns = [
    path("memory/", views.browser, name="browser"),
    path("memory/search/", search_views.search, name="search"),
    path(
        "memory/export.<slug:written_as>",
        search_views.export,
        name="export",
    ),
    path("memory/entries/", entry_views.act_on_many, name="entries-act"),
    path("memory/next-prompt/", views.next_prompt, name="next-prompt"),
    path(
        "memory/constraints/",
        constraint_views.act_on_many,
        name="act-on-many",
    ),
    path(
        "memory/constraints/<uuid:constraint_id>/",
        constraint_views.constraint,
        name="constraint",
    ),
    path(
        "memory/constraints/<uuid:constraint_id>/<slug:verb>/",
        views.constraint_act,
        name="constraint-act",
    ),
    path("memory/entries/<uuid:entry_id>/edit/", entry_views.edit, name="entry-edit"),
    path(
        "memory/entries/<uuid:entry_id>/<slug:verb>/",
        views.entry_act,
        name="entry-act",
    ),
    path("memory/shared/", shared_views.shared, name="shared"),
    path("memory/shared/prefer/", shared_views.prefer, name="shared-prefer"),
    path("memory/shared/correct/", shared_views.correct, name="shared-correct"),
    path(
        "memory/shared/<uuid:entry_id>/<slug:verb>/",
        shared_views.act,
        name="shared-act",
    ),
    path("memory/snapshots/", snapshot_views.snapshots, name="snapshots"),
    path("memory/snapshots/upload/", snapshot_views.upload, name="snapshot-upload"),
    path("memory/snapshots/learn/", snapshot_views.learn, name="snapshot-learn"),
    path(
        "memory/snapshots/<str:name>/delete/",
        snapshot_views.delete,
        name="snapshot-delete",
    ),
    path("settings/", views.settings, name="settings"),
    path("settings/tools/", views.tool_rules, name="tool-rules"),
]
