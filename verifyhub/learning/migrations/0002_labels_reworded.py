from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('learning', '0001_tables'),
    ]

    operations = [
        migrations.AlterField(
            model_name='calibrationmodel',
            name='refusal',
            field=models.CharField(blank=True, choices=[('falls', 'Higher scores were not correct more often.'), ('not_better', 'On held-out decisions, the fit was no better than the raw scores.')], max_length=20),
        ),
    ]
