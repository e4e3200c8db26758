import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_second_factor'),
        ('privacy', '0001_tables'),
    ]

    operations = [
        migrations.AddField(
            model_name='deletion',
            name='held',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.CreateModel(
            name='LegalHold',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('project', 'Everything in the project'), ('run', 'One run'), ('session', 'A session'), ('agent', 'An agent')], max_length=10)),
                ('target', models.CharField(blank=True, max_length=200)),
                ('reason', models.CharField(max_length=500)),
                ('placed_by', models.CharField(max_length=200)),
                ('released_by', models.CharField(blank=True, max_length=200)),
                ('released_at', models.DateTimeField(null=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('released_at', None)), fields=['project'], name='legal_hold_active')],
            },
        ),
    ]
