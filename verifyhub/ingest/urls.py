"""The pages of traces and of bulks, below `/p/<slug>/`."""

from django.urls import path

from verifyhub.ingest import bulk_views, views

app_name = "ingest"

urlpatterns = [
    path("traces/", views.trace_list, name="trace-list"),
    path("traces/<uuid:trace_row>/", views.trace_detail, name="trace-detail"),
    path("bulk/", bulk_views.bulk_list, name="bulk-list"),
    path("bulk/upload/", bulk_views.bulk_upload, name="bulk-upload"),
    path("bulk/<uuid:bulk_id>/", bulk_views.bulk_detail, name="bulk"),
    path("bulk/<uuid:bulk_id>/cancel/", bulk_views.bulk_cancel, name="bulk-cancel"),
    path(
        "bulk/<uuid:bulk_id>/refused/<str:written_as>/",
        bulk_views.bulk_refusals,
        name="bulk-refusals",
    ),
]
