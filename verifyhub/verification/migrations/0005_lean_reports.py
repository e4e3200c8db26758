"""Reports are stored without their defaults; those that are there stay as they are."""

from django.db import migrations

from verifyhub.verification.models.report_field import ReportField


class Migration(migrations.Migration):
    dependencies = [("verification", "0004_fewer_indexes")]

    operations = [
        migrations.AlterField(
            model_name="verification",
            name="report",
            field=ReportField(null=True),
        ),
    ]
