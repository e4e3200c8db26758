"""Events and webhooks under the API's root."""

from django.urls import path

from verifyhub.events.api import stream, views, webhook_views

WEBHOOK = "webhooks/<uuid:webhook_id>/"

urlpatterns = [
    path("events/", views.EventList.as_view(), name="api-events"),
    path("events/stream/", stream.EventStreamView.as_view(), name="api-event-stream"),
    path("webhooks/", webhook_views.WebhookList.as_view(), name="api-webhooks"),
    path(WEBHOOK, webhook_views.WebhookDetail.as_view(), name="api-webhook"),
    path(
        f"{WEBHOOK}rotate-secret/",
        webhook_views.WebhookSecret.as_view(),
        name="api-webhook-secret",
    ),
    path(
        f"{WEBHOOK}test/", webhook_views.WebhookTest.as_view(), name="api-webhook-test"
    ),
    path(
        f"{WEBHOOK}replay/",
        webhook_views.DeadReplay.as_view(),
        name="api-webhook-replay",
    ),
    path(
        f"{WEBHOOK}deliveries/",
        webhook_views.DeliveryList.as_view(),
        name="api-webhook-deliveries",
    ),
    path(
        f"{WEBHOOK}deliveries/<uuid:delivery_id>/",
        webhook_views.DeliveryDetail.as_view(),
        name="api-webhook-delivery",
    ),
    path(
        f"{WEBHOOK}deliveries/<uuid:delivery_id>/replay/",
        webhook_views.DeliveryReplay.as_view(),
        name="api-webhook-delivery-replay",
    ),
]
