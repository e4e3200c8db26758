"""Divide claims of fact by the month of their verification (ADR 0093)."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

from verifyhub.common.partition_operations import divide_with_id


class Migration(migrations.Migration):

    # Whoever reads or writes claims waits for the exchange of names alone.
    atomic = False

    dependencies = [
        ('verification', '0004_names_divided_by_month'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='claimverdict',
            index=models.Index(fields=['id'], name='claim_verdict_id'),
        ),
        *divide_with_id('verification_claimverdict', 'verification_id'),
    ]
