"""Divide names by the month of their verification (ADR 0093)."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

from verifyhub.common.partition_operations import divide_with_id


class Migration(migrations.Migration):

    # Whoever reads or writes names waits for the exchange of names alone.
    atomic = False

    dependencies = [
        ('events', '0006_analyze_divided_tables'),
        ('review', '0002_name_without_constraint'),
        ('verification', '0003_invented_names'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='mentionverdict',
            index=models.Index(fields=['id'], name='mention_verdict_id'),
        ),
        *divide_with_id('verification_mentionverdict', 'verification_id'),
    ]
