"""The Celery application: the doorbell of the work that rows in PostgreSQL record."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")

app = Celery("verifyhub")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
