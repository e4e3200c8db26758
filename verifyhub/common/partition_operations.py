"""Divide a table by month in a migration, and join it again (ADR 0092).

The table itself becomes the first partition, so no row is copied, and reads and writes
wait only while names are exchanged. It ends with the month after the current one;
`partitions_make` makes the later months.
"""

from collections.abc import Callable

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from psycopg import sql

DROP_EMPTY = r"""
-- Drops the oldest partition that ended at least so long ago and has no row; returns
-- whether there was one. Another transaction, another partition: locks end soon.
CREATE OR REPLACE FUNCTION partitions_drop_empty(divided regclass) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET lock_timeout = '200ms' AS $$
DECLARE
    part regclass;
    has_rows boolean;
BEGIN
    FOR part IN
        SELECT inhrelid::regclass FROM pg_inherits
        WHERE inhparent = divided AND partitions_end(inhrelid)
            <= partitions_lowest_id(now() - interval '1 day')
        ORDER BY partitions_end(inhrelid)
    LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %s)', part) INTO has_rows;
        CONTINUE WHEN has_rows;
        -- Nobody adds a row between the last look and the end. The look reads what
        -- vacuum has not removed yet: until then, only writers of this month wait.
        EXECUTE format('LOCK TABLE %s IN EXCLUSIVE MODE', part);
        EXECUTE format('SELECT EXISTS (SELECT FROM %s)', part) INTO has_rows;
        CONTINUE WHEN has_rows;
        EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', divided);
        EXECUTE format('DROP TABLE %s', part);
        RETURN true;
    END LOOP;
    RETURN false;
END $$;
"""
# Functions of the owner: the servers' role may create and drop no table (ADR 0076).
FUNCTIONS = r"""
-- The lowest UUIDv7 of a moment: every id that was made before is lower.
CREATE FUNCTION partitions_lowest_id(moment timestamptz) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0')
        || repeat('0', 20))::uuid
$$;

-- The moment of a UUIDv7, in UTC.
CREATE FUNCTION partitions_moment(id uuid) RETURNS timestamp
LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT to_timestamp(
        ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0
    ) AT TIME ZONE 'UTC'
$$;

-- The id at which a partition ends; null for the default partition.
CREATE FUNCTION partitions_end(part oid) RETURNS uuid LANGUAGE sql STABLE STRICT AS $$
    SELECT substring(
        pg_get_expr(relpartbound, oid) FROM 'TO \(''([0-9a-f-]{36})''\)'
    )::uuid FROM pg_class WHERE oid = part
$$;

-- Makes the months that are missing up to some months ahead; returns how many.
CREATE FUNCTION partitions_make(divided regclass, months integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET lock_timeout = '200ms' AS $$
DECLARE
    made integer := 0;
    latest oid;
    lower_id uuid;
    upper_id uuid;
    month timestamp;
    ahead timestamp := date_trunc('month', now() AT TIME ZONE 'UTC')
        + make_interval(months => least(months, 24));
    part text;
    options text;
BEGIN
    -- Of two callers the second finds the work done.
    PERFORM pg_advisory_xact_lock(x'70617274'::int, hashtext(divided::text));
    SELECT inhrelid, partitions_end(inhrelid) INTO latest, lower_id
    FROM pg_inherits
    WHERE inhparent = divided AND partitions_end(inhrelid) IS NOT NULL
    ORDER BY partitions_end(inhrelid) DESC LIMIT 1;
    month := date_trunc('month', partitions_moment(lower_id));
    WHILE month < ahead LOOP
        upper_id := partitions_lowest_id(
            (month + interval '1 month') AT TIME ZONE 'UTC'
        );
        part := divided::text || to_char(month, '_YYYY_MM');
        BEGIN
            EXECUTE format('CREATE TABLE %I (LIKE %s INCLUDING ALL)', part, divided);
            SELECT array_to_string(reloptions, ', ') INTO options
            FROM pg_class WHERE oid = latest;
            IF options <> '' THEN
                EXECUTE format('ALTER TABLE %I SET (%s)', part, options);
            END IF;
            EXECUTE format(
                'ALTER TABLE %s ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                divided, part, lower_id, upper_id
            );
            made := made + 1;
        EXCEPTION WHEN check_violation THEN
            -- Rows of this month came before it was made: the default one keeps them.
            RAISE WARNING 'the default partition of % has rows of %', divided, month;
        END;
        lower_id := upper_id;
        month := month + interval '1 month';
    END LOOP;
    RETURN made;
END $$;
"""
FUNCTIONS += (
    DROP_EMPTY
    + """
REVOKE EXECUTE ON FUNCTION partitions_make(regclass, integer) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION partitions_drop_empty(regclass) FROM PUBLIC;
"""
)
DROP_FUNCTIONS = """
DROP FUNCTION partitions_drop_empty(regclass);
DROP FUNCTION partitions_make(regclass, integer);
DROP FUNCTION partitions_end(oid);
DROP FUNCTION partitions_moment(uuid);
DROP FUNCTION partitions_lowest_id(timestamptz);
"""

# The bound is validated beforehand without blocking others, so that the exchange need
# not scan the rows.
BOUND = """
DO $do$
DECLARE
    bound uuid := partitions_lowest_id(
        (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months')
            AT TIME ZONE 'UTC'
    );
BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_constraint
        WHERE conrelid = {name}::regclass AND conname = 'first_months'
    ) THEN
        EXECUTE format(
            'ALTER TABLE {table} ADD CONSTRAINT first_months CHECK ({column} < %L)'
            ' NOT VALID', bound
        );
    END IF;
END $do$;
"""
# Fails if a row has an id that is no UUIDv7: the exchange then moves such rows.
VALIDATE = """
DO $do$
BEGIN
    ALTER TABLE {table} VALIDATE CONSTRAINT first_months;
EXCEPTION WHEN check_violation THEN
    RAISE NOTICE 'some ids are no UUIDv7';
END $do$;
"""
# Indexes, constraints, privileges and triggers of a table, as statements that create
# them for the table of its name; a key without the column is left out.
DEFINITIONS = """
    SELECT coalesce(array_agg(made.statement), '{{}}') INTO definitions FROM (
        SELECT format(
            'ALTER TABLE {table} ADD CONSTRAINT %I %s',
            conname, pg_get_constraintdef(oid)
        ) AS statement
        FROM pg_constraint
        WHERE conrelid = {name}::regclass AND (
            contype = 'f' OR contype IN ('p', 'u') AND conkey @> ARRAY(
                SELECT attnum FROM pg_attribute
                WHERE attrelid = {name}::regclass AND attname = {column_name}
            )
        )
        UNION ALL
        SELECT pg_get_indexdef(indexrelid) FROM pg_index
        WHERE indrelid = {name}::regclass AND NOT EXISTS (
            SELECT FROM pg_constraint
            WHERE conrelid = {name}::regclass AND conindid = indexrelid
        )
        UNION ALL
        -- A role that were refused until the next start would lose what it is sent.
        SELECT format(
            'GRANT %s ON {table} TO %s',
            privilege_type, coalesce(quote_ident(rolname), 'PUBLIC')
        )
        FROM pg_class, aclexplode(relacl) LEFT JOIN pg_roles ON pg_roles.oid = grantee
        WHERE pg_class.oid = {name}::regclass AND grantee <> relowner
    ) AS made;
    SELECT coalesce(array_agg(pg_get_triggerdef(oid)), '{{}}') INTO triggers
    FROM pg_trigger WHERE tgrelid = {name}::regclass AND NOT tgisinternal;
"""
BEGINNING = """
DO $do$
DECLARE
    item record;
    bound uuid;
    definitions text[];
    triggers text[];
    definition text;
BEGIN
    -- Whoever waits for this lock makes others wait: rather fail and be run again.
    SET LOCAL lock_timeout = '5s';
    SET CONSTRAINTS ALL IMMEDIATE;
    LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE;
"""
DIVIDE = (
    BEGINNING  # noqa: S608 - constants
    + DEFINITIONS
    + """
    SELECT substring(pg_get_constraintdef(oid) FROM '[0-9a-f-]{{36}}')::uuid INTO bound
    FROM pg_constraint WHERE conrelid = {name}::regclass AND conname = 'first_months';
    FOR item IN
        SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        WHERE indrelid = {name}::regclass
    LOOP
        EXECUTE format(
            'ALTER INDEX %I RENAME TO %I', item.relname,
            left(item.relname, 57) || '_first'
        );
    END LOOP;
    FOR item IN
        SELECT tgname FROM pg_trigger
        WHERE tgrelid = {name}::regclass AND NOT tgisinternal AND tgtype & 1 = 1
    LOOP
        EXECUTE format('DROP TRIGGER %I ON {table}', item.tgname);
    END LOOP;
    ALTER TABLE {table} RENAME TO {first};
    CREATE TABLE {table} (
        LIKE {first} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE
            INCLUDING COMPRESSION
    ) PARTITION BY RANGE ({column});
    ALTER TABLE {table} DROP CONSTRAINT first_months;
    FOREACH definition IN ARRAY definitions LOOP
        EXECUTE definition;
    END LOOP;
    CREATE TABLE {default} PARTITION OF {table} DEFAULT;
    WITH moved AS (DELETE FROM {first} WHERE {column} >= bound RETURNING *)
    INSERT INTO {default} SELECT * FROM moved;
    EXECUTE format(
        'ALTER TABLE {table} ATTACH PARTITION {first} FOR VALUES FROM (MINVALUE)'
        ' TO (%L)', bound
    );
    ALTER TABLE {first} DROP CONSTRAINT first_months;
    FOREACH definition IN ARRAY triggers LOOP
        EXECUTE definition;
    END LOOP;
END $do$;
"""
)
# Copies every row, since the former partitions may be gone; this is rarely needed.
JOIN = (
    BEGINNING  # noqa: S608 - constants
    + DEFINITIONS
    + """
    ALTER TABLE {table} RENAME TO {parts};
    CREATE TABLE {table} (
        LIKE {parts} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE
            INCLUDING COMPRESSION
    );
    INSERT INTO {table} SELECT * FROM {parts};
    DROP TABLE {parts};
    FOREACH definition IN ARRAY definitions || triggers LOOP
        EXECUTE definition;
    END LOOP;
END $do$;
"""
)


# The former primary key: the whole cannot have it, and the first months have another
# index of its column.
DROP_KEY = """
DO $do$
DECLARE
    key text;
BEGIN
    SET LOCAL lock_timeout = '5s';
    SELECT conname INTO key FROM pg_constraint
    WHERE conrelid = {first_name}::regclass AND contype = 'p';
    EXECUTE format('ALTER TABLE {first} DROP CONSTRAINT %I', key);
END $do$;
"""
ADD_KEY = "ALTER TABLE {table} ADD PRIMARY KEY (id)"


def divide_with_id(table: str, column: str) -> list[migrations.RunPython]:
    """Return the operations of `divide` for a table with another primary key, `id`.

    Its rows are found by an index of `id`, which must exist; that an id is unique
    follows from how it is made.
    """
    nothing = migrations.RunPython.noop
    return [
        migrations.RunPython(nothing, _run(table, column, ADD_KEY)),
        *divide(table, column),
        migrations.RunPython(_run(table, column, DROP_KEY), nothing),
    ]


def divide(table: str, column: str) -> list[migrations.RunPython]:
    """Return the operations that divide a table by the months of a column of UUIDv7.

    For a migration that is not atomic: the first operation validates the rows without
    blocking others.

    Args:
        table: The table, whose triggers, keys and privileges are kept.
        column: A UUIDv7 in every primary or unique key that is to be kept.
    """
    return [
        migrations.RunPython(
            _run(table, column, BOUND, VALIDATE), migrations.RunPython.noop
        ),
        migrations.RunPython(
            _run(table, column, DIVIDE), _run(table, column, JOIN), atomic=True
        ),
    ]


def _run(
    table: str, column: str, *statements: str
) -> Callable[[StateApps, BaseDatabaseSchemaEditor], None]:
    """Return a migration's function that executes statements about a table."""
    names: dict[str, sql.Composable] = {
        "table": sql.Identifier(table),
        "name": sql.Literal(table),
        "column": sql.Identifier(column),
        "column_name": sql.Literal(column),
        "first": sql.Identifier(f"{table}_first"),
        "first_name": sql.Literal(f"{table}_first"),
        "default": sql.Identifier(f"{table}_default"),
        "parts": sql.Identifier(f"{table}_parts"),
    }

    def step(_apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        with editor.connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(sql.SQL(statement).format(**names))

    return step
