"""Refer to names without a constraint, so that their table can be divided."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('review', '0001_tables'),
    ]

    operations = [
        migrations.AlterField(
            model_name='override',
            name='mention',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='overrides', to='verification.mentionverdict'),
        ),
    ]
