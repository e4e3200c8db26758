"""Models of second factors: their tables refer to the people of `0001_tables`."""

from django.db import migrations


class Migration(migrations.Migration):
    replaces = [("accounts", "0008_second_factor")]

    dependencies = [
        ("accounts", "0001_tables"),
        ("otp_static", "0003_add_timestamps"),
        ("otp_totp", "0003_add_timestamps"),
    ]

    operations = [
        migrations.CreateModel(
            name="Authenticator",
            fields=[],
            options={"proxy": True, "indexes": [], "constraints": []},
            bases=("otp_totp.totpdevice",),
        ),
        migrations.CreateModel(
            name="BackupCodes",
            fields=[],
            options={"proxy": True, "indexes": [], "constraints": []},
            bases=("otp_static.staticdevice",),
        ),
    ]
