from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0002_index_vectors'),
    ]

    operations = [
        migrations.AlterField(
            model_name='document',
            name='state',
            field=models.CharField(choices=[('waiting', 'Embedding'), ('ready', 'Ready')], default='waiting', max_length=20),
        ),
    ]
