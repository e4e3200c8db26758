"""`/api/v1/verification-batches/` and `/api/v1/review/items/`."""

from django.urls import path

from verifyhub.review.api import batches, decisions, items

ITEM = "review/items/<uuid:item_id>/"
BATCH = "verification-batches/<uuid:batch_id>/"

urlpatterns = [
    path("review/items/", items.ItemList.as_view(), name="api-review-items"),
    path("review/items/lease/", items.NextLease.as_view(), name="api-review-next"),
    path(ITEM, decisions.ReviewItemDetail.as_view(), name="api-review-item"),
    path(f"{ITEM}lease/", items.ItemLease.as_view(), name="api-review-lease"),
    path(f"{ITEM}release/", items.ItemRelease.as_view(), name="api-review-release"),
    path(f"{ITEM}assign/", items.ItemAssign.as_view(), name="api-review-assign"),
    path(f"{ITEM}decisions/", decisions.Decide.as_view(), name="api-review-decide"),
    path(
        f"{ITEM}decisions/preview/",
        decisions.DecisionPreview.as_view(),
        name="api-review-preview",
    ),
    path(f"{ITEM}decisions/undo/", decisions.Undo.as_view(), name="api-review-undo"),
    path(
        "review/acts/<uuid:act_id>/",
        decisions.ActDetail.as_view(),
        name="api-review-act",
    ),
    path("verification-batches/", batches.BatchList.as_view(), name="api-batches"),
    path(BATCH, batches.BatchDetail.as_view(), name="api-batch"),
    path(f"{BATCH}cancel/", batches.BatchCancel.as_view(), name="api-batch-cancel"),
]
