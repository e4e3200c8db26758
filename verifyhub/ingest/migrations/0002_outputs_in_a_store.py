from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):

    # Neither waits for who reads or writes the table.
    atomic = False

    dependencies = [
        ('ingest', '0001_tables'),
    ]

    operations = [
        migrations.AddField(
            model_name='toolcall',
            name='output_sha256',
            field=models.CharField(max_length=64, null=True),
        ),
        AddIndexConcurrently(
            model_name='toolcall',
            index=models.Index(condition=models.Q(('output_length__gte', 65536), ('output_sha256', None)), fields=['id'], name='tool_call_large_output'),
        ),
        AddIndexConcurrently(
            model_name='toolcall',
            index=models.Index(condition=models.Q(('output_sha256__isnull', False)), fields=['output_sha256', 'project'], name='tool_call_stored_output'),
        ),
    ]
