from datetime import date

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('metrics', '0002_changes'),
    ]

    operations = [
        # Until now every day was counted in slices.
        migrations.AddField(
            model_name='countstate',
            name='sliced_from',
            field=models.DateField(default=date(1970, 1, 1)),
            preserve_default=False,
        ),
    ]
