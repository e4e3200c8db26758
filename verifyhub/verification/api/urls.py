"""`/api/v1/interactions/`."""

from django.urls import path

from verifyhub.verification.api import (
    bulk,
    checks,
    detections,
    tool_schemas,
    transcripts,
    views,
    work,
)

# A client id may hold any character, a slash too; the fixed endings are tried first.
BULK = "bulk/<str:reference>/"
INTERACTION = "interactions/<path:reference>/"

urlpatterns = [
    path(
        "tool-schemas/", tool_schemas.ToolSchemaList.as_view(), name="api-tool-schemas"
    ),
    path(
        "tool-schemas/<uuid:schema_id>/",
        tool_schemas.ToolSchemaDetail.as_view(),
        name="api-tool-schema",
    ),
    path("detection/mitigate/", work.Mitigate.as_view(), name="api-mitigate"),
    path(
        "mitigations/<uuid:work_id>/",
        work.MitigationDetail.as_view(),
        name="api-mitigation",
    ),
    path("deliberations/", work.Deliberations.as_view(), name="api-deliberations"),
    path(
        "deliberations/<uuid:work_id>/",
        work.DeliberationDetail.as_view(),
        name="api-deliberation",
    ),
    path("transcripts/", transcripts.TranscriptList.as_view(), name="api-transcripts"),
    path("bulk/", bulk.BulkList.as_view(), name="api-bulks"),
    path(BULK, bulk.BulkDetail.as_view(), name="api-bulk"),
    path(f"{BULK}errors/", bulk.BulkErrors.as_view(), name="api-bulk-errors"),
    path("checks/", checks.CheckSettings.as_view(), name="api-checks"),
    path(
        "detection/verify/",
        detections.DetectionVerify.as_view(),
        name="api-detection-verify",
    ),
    path(
        "detection/layers/<str:name>/",
        detections.DetectionLayer.as_view(),
        name="api-detection-layer",
    ),
    path(
        "detection/risk/", detections.DetectionRisk.as_view(), name="api-detection-risk"
    ),
    path(
        "detection/<uuid:detection_id>/",
        detections.DetectionDetail.as_view(),
        name="api-detection",
    ),
    path("interactions/", views.InteractionList.as_view(), name="api-interactions"),
    path(
        f"{INTERACTION}verdict/",
        views.InteractionVerdict.as_view(),
        name="api-interaction-verdict",
    ),
    path(
        f"{INTERACTION}ledger/",
        views.InteractionLedger.as_view(),
        name="api-interaction-ledger",
    ),
    path(
        f"{INTERACTION}verifications/",
        views.InteractionVerifications.as_view(),
        name="api-interaction-verifications",
    ),
    path(
        f"{INTERACTION}mitigate/",
        work.InteractionMitigate.as_view(),
        name="api-interaction-mitigate",
    ),
    path(
        f"{INTERACTION}deliberate/",
        work.InteractionDeliberate.as_view(),
        name="api-interaction-deliberate",
    ),
    path(
        f"{INTERACTION}reverify/",
        views.InteractionReverify.as_view(),
        name="api-interaction-reverify",
    ),
    path(
        f"{INTERACTION}layers/",
        detections.InteractionLayers.as_view(),
        name="api-interaction-layers",
    ),
    path(INTERACTION, views.InteractionDetail.as_view(), name="api-interaction"),
]
