from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('privacy', '0004_output_days'),
    ]

    operations = [
        migrations.AddField(
            model_name='deletion',
            name='name_cursor',
            field=models.UUIDField(null=True),
        ),
    ]
