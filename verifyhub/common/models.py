"""Shared models."""

from django.db import models


class Lease(models.Model):
    """A lease of work that one process does at a time (`leases`)."""

    name = models.CharField(max_length=60, primary_key=True)
    holder = models.UUIDField()
    until = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
