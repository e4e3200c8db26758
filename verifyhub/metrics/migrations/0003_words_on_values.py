"""Count an answer anew when a person judges one of its values, or takes that back.

Only a trigger: no table is read or rewritten, and its lock is held for a moment.
"""

from django.db import migrations

_TRIGGER = """
DROP TRIGGER metrics_overridden ON review_override;
CREATE TRIGGER metrics_overridden AFTER INSERT OR UPDATE ON review_override
    FOR EACH ROW WHEN (NEW.target IN (%s)) EXECUTE FUNCTION metrics_of_override();
"""


class Migration(migrations.Migration):
    dependencies = [("metrics", "0002_changes"), ("review", "0001_tables")]

    operations = [
        migrations.RunSQL(_TRIGGER % "'claim', 'value'", _TRIGGER % "'claim'")
    ]
