"""Keep what projects had set: a number of unsupported names that are let through.

By default one is now enough to send an answer back. A project that had set a limit of
its own goes on counting; one that had set none, or 0, takes the default.
"""

from django.db import migrations

COUNTED = """
UPDATE accounts_project
SET thresholds = jsonb_set(thresholds, '{sends_back}', '"untrue"')
WHERE NOT thresholds ? 'sends_back'
  AND thresholds -> 'retry_above_unverified' NOT IN ('0'::jsonb, '3'::jsonb)
"""
# What the code before this knows nothing of, it refuses.
UNKNOWN = """
UPDATE accounts_project SET thresholds = thresholds - 'sends_back',
    strictness = CASE strictness WHEN 'source' THEN 'lenient' ELSE strictness END
"""
MEMBERS = """
UPDATE accounts_membership SET strictness = '' WHERE strictness = 'source'
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_scope_manage")]

    operations = [
        migrations.RunSQL(COUNTED, UNKNOWN),
        migrations.RunSQL(migrations.RunSQL.noop, MEMBERS),
    ]
