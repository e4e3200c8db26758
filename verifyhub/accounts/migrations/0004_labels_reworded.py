from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_pairs'),
    ]

    operations = [
        migrations.AlterField(
            model_name='project',
            name='secrets_kept',
            field=models.CharField(choices=[('masked', 'Masked, originals not stored'), ('sealed', 'Masked, originals stored encrypted'), ('as_sent', 'As sent, including secrets')], db_default='masked', default='masked', max_length=20),
        ),
        migrations.AlterField(
            model_name='user',
            name='key_mode',
            field=models.CharField(choices=[('letters', 'Single letters'), ('alt', 'Alt + letter'), ('off', 'Off')], db_default='letters', default='letters', max_length=10),
        ),
    ]
