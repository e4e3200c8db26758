from django.apps import AppConfig


class IngestConfig(AppConfig):
    name = "verifyhub.ingest"
    label = "ingest"
    default_auto_field = "django.db.models.BigAutoField"
