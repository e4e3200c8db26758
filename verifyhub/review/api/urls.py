"""`/api/v1/verification-batches/` and `/api/v1/review/items/`."""

from django.urls import path

from verifyhub.review.api import acts, batches, decisions, items

urlpatterns = [
    path("review/items/", items.ItemList.as_view(), name="api-review-items"),
    path("review/items/lease/", items.NextLease.as_view(), name="api-review-next"),
    path(
        "review/items/<uuid:item_id>/lease/",
        items.ItemLease.as_view(),
        name="api-review-lease",
    ),
    path(
        "review/items/<uuid:item_id>/release/",
        items.ItemRelease.as_view(),
        name="api-review-release",
    ),
    path(
        "review/items/<uuid:item_id>/assign/",
        items.ItemAssign.as_view(),
        name="api-review-assign",
    ),
    path("review/acts/<uuid:act_id>/", acts.ActDetail.as_view(), name="api-review-act"),
    path("verification-batches/", batches.BatchList.as_view(), name="api-batches"),
    path(
        "verification-batches/<uuid:batch_id>/",
        batches.BatchDetail.as_view(),
        name="api-batch",
    ),
    path(
        "verification-batches/<uuid:batch_id>/cancel/",
        batches.BatchCancel.as_view(),
        name="api-batch-cancel",
    ),
    path(
        "review/items/<uuid:item_id>/",
        decisions.ReviewItemDetail.as_view(),
        name="api-review-item",
    ),
    path(
        "review/items/<uuid:item_id>/decisions/",
        decisions.Decide.as_view(),
        name="api-review-decide",
    ),
    path(
        "review/items/<uuid:item_id>/decisions/preview/",
        decisions.DecisionPreview.as_view(),
        name="api-review-preview",
    ),
    path(
        "review/items/<uuid:item_id>/decisions/undo/",
        decisions.Undo.as_view(),
        name="api-review-undo",
    ),
]
