from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('exports', '0001_tables'),
    ]

    operations = [
        migrations.AlterField(
            model_name='destination',
            name='kind',
            field=models.CharField(choices=[('folder', 'Server folder'), ('s3', 'S3-compatible storage')], max_length=10),
        ),
    ]
