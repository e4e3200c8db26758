"""Settings, URLs and the Celery app.

Importing the app here lets `celery -A verifyhub.config` and Django agree on one.
"""

from verifyhub.config.celery import app as celery_app

__all__ = ["celery_app"]
