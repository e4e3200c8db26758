from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('metrics', '0003_sliced_days'),
    ]

    operations = [
        # Nothing was ever written to it.
        migrations.DeleteModel(name='Measured'),
    ]
