from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('review', '0002_values_are_judged'),
    ]

    operations = [
        migrations.AlterField(
            model_name='judgement',
            name='state',
            field=models.CharField(choices=[('draft', 'Draft'), ('given', 'Submitted'), ('withdrawn', 'Withdrawn'), ('superseded', 'Superseded')], default='given', max_length=20),
        ),
        migrations.AlterField(
            model_name='override',
            name='target',
            field=models.CharField(choices=[('verdict', 'Verdict'), ('mention', 'Name'), ('claim', 'Claim of work'), ('fact', 'Claim of fact'), ('value', 'Value'), ('missed', 'Missed item'), ('answer', 'Answer'), ('note', 'Note'), ('agreement', 'Agreement')], max_length=20),
        ),
        migrations.AlterField(
            model_name='reviewrules',
            name='settlement',
            field=models.CharField(choices=[('majority', 'Majority verdict; without a majority, an adjudicator decides'), ('unanimous', 'Unanimous verdict; otherwise an adjudicator decides'), ('adjudicate', 'An adjudicator decides every difference, including single names')], default='majority', max_length=20),
        ),
    ]
