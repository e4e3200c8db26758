"""Store why constraints are retired as codes; words of a lead's own stay words.

Batches of rows, each committed by itself, in the order of the key: no lock is held for
long, and a migration that is broken off goes on from the beginning without harm.
"""

from django.db import migrations

BATCH = 5000
WALK = """
SELECT max(id::text)::uuid FROM (
    SELECT id FROM memory_constraint WHERE %(last)s::uuid IS NULL OR id > %(last)s
    ORDER BY id LIMIT %(size)s
) AS batch
"""
ROWS = "(%(last)s::uuid IS NULL OR id > %(last)s) AND id <= %(end)s"
CODES = """
(VALUES
    ('said_right', 'A reviewer said that the name is right.'),
    ('proven', 'Evidence that no agent can write showed the name after a reviewer had'
        ' called it invented.'),
    ('found', 'The name was found in the evidence of another answer.'),
    ('unsupported', 'No answer supports it any more.'),
    ('by_lead', 'A lead retired it.')
) AS known (code, said)
"""
MERGED = "Merged into "
TO_CODES = (
    f"UPDATE memory_constraint SET retired_code = code, retired_reason = ''"
    f" FROM {CODES} WHERE retired_code = '' AND retired_reason = said AND {ROWS}",
    f"UPDATE memory_constraint SET retired_code = 'merged',"
    f" retired_reason = substr(retired_reason, {len(MERGED) + 1})"
    f" WHERE retired_code = '' AND merged_into_id IS NOT NULL"
    f" AND starts_with(retired_reason, '{MERGED}') AND {ROWS}",
)
TO_SENTENCES = (
    f"UPDATE memory_constraint SET retired_code = '', retired_reason = said"
    f" FROM {CODES} WHERE retired_code = code AND {ROWS}",
    f"UPDATE memory_constraint SET retired_code = '',"
    f" retired_reason = left('{MERGED}' || retired_reason, 300)"
    f" WHERE retired_code = 'merged' AND {ROWS}",
)


def _walked(statements):
    def walk(_apps, schema_editor):
        with schema_editor.connection.cursor() as cursor:
            last = None
            while True:
                cursor.execute(WALK, {"last": last, "size": BATCH})
                (end,) = cursor.fetchone()
                if end is None:
                    return
                for statement in statements:
                    cursor.execute(statement, {"last": last, "end": end})
                last = end

    return walk


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("memory", "0002_retired_code")]

    operations = [migrations.RunPython(_walked(TO_CODES), _walked(TO_SENTENCES))]
