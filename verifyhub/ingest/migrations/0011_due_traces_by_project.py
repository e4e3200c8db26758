import django.db.models.functions.comparison
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    # Concurrently: spans go on arriving while a large table is indexed.
    atomic = False

    dependencies = [
        ('accounts', '0011_key_rotation'),
        ('ingest', '0010_bulks'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='otlptrace',
            index=models.Index(models.F('project'), django.db.models.functions.comparison.Coalesce('next_at', 'created_at'), models.F('id'), condition=models.Q(('state', 'pending')), name='trace_due'),
        ),
    ]
