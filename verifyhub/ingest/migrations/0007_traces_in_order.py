from django.db import migrations, models

import verifyhub.common.db


class Migration(migrations.Migration):

    # New ids begin with their time (ADR 0099); the database need not change.
    dependencies = [
        ('ingest', '0006_runs_in_sessions'),
    ]

    operations = [
        migrations.AlterField(
            model_name='otlptrace',
            name='id',
            field=models.UUIDField(default=verifyhub.common.db.new_id, editable=False, primary_key=True, serialize=False),
        ),
    ]
