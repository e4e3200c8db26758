"""Drop the column `id` of tool calls, which servers of before the division read.

Nothing is rewritten either way: a row that is there keeps the room of its number, and on
the way back rows are numbered beside servers that go on.
"""

from django.db import migrations

DROP = """
DO $do$
BEGIN
    -- Whoever waits for this lock makes others wait: rather fail and be run again.
    SET LOCAL lock_timeout = '5s';
    ALTER TABLE ingest_toolcall DROP COLUMN id;
    DROP SEQUENCE ingest_toolcall_number;
END $do$;
"""
ADD = """
DO $do$
DECLARE
    item record;
BEGIN
    SET LOCAL lock_timeout = '5s';
    CREATE SEQUENCE ingest_toolcall_number AS bigint;
    FOR item IN
        SELECT DISTINCT rolname
        FROM pg_class, aclexplode(relacl) JOIN pg_roles ON pg_roles.oid = grantee
        WHERE pg_class.oid = 'ingest_toolcall'::regclass AND grantee <> relowner
    LOOP
        EXECUTE format(
            'GRANT USAGE ON SEQUENCE ingest_toolcall_number TO %I', item.rolname
        );
    END LOOP;
    ALTER TABLE ingest_toolcall ADD COLUMN id bigint;
    ALTER TABLE ingest_toolcall
        ALTER id SET DEFAULT nextval('ingest_toolcall_number');
END $do$;
"""
# One after another, so that only the last two hold a lock, for a moment.
NUMBER = [
    "UPDATE ingest_toolcall SET id = nextval('ingest_toolcall_number') WHERE id IS NULL",
    'ALTER TABLE ingest_toolcall ADD CONSTRAINT numbered CHECK (id IS NOT NULL) NOT VALID',
    'ALTER TABLE ingest_toolcall VALIDATE CONSTRAINT numbered',
    'ALTER TABLE ingest_toolcall ALTER id SET NOT NULL',
    'ALTER TABLE ingest_toolcall DROP CONSTRAINT numbered',
]


class Migration(migrations.Migration):

    # The rows are numbered after the lock is released.
    atomic = False

    dependencies = [
        ('ingest', '0004_divided_by_month'),
    ]

    operations = [
        migrations.RunSQL(migrations.RunSQL.noop, NUMBER),
        migrations.RunSQL(DROP, ADD),
    ]
