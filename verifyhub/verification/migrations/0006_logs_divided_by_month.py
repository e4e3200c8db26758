"""Divide results of goal checks by the month of their run (ADR 0093)."""

from django.db import migrations

from verifyhub.common.partition_operations import divide_with_id


class Migration(migrations.Migration):

    # Whoever reads or writes results waits for the exchange of names alone.
    atomic = False

    dependencies = [
        ('verification', '0005_claims_divided_by_month'),
    ]

    operations = divide_with_id('verification_verificationlog', 'interaction_id')
