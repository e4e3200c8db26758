from django.apps import AppConfig


class MetricsConfig(AppConfig):
    name = "verifyhub.metrics"
    label = "metrics"
    default_auto_field = "django.db.models.BigAutoField"
