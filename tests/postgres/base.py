"""Empty the tables that hold rows, instead of truncating all of them.

A truncation makes new files for each of some hundred tables and their indexes, whoever
wrote to them: it took longer than most tests that commit.
"""

from typing import Any

from django.db.backends.postgresql import operations

from verifyhub.common.postgres import base

# The lock waits for who still writes. Triggers would refuse to delete what is kept for
# ever, and foreign keys ask for an order.
EMPTY = """
DO $$ DECLARE one text; has_rows boolean; BEGIN
    PERFORM set_config('session_replication_role', 'replica', true);
    LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE;
    FOREACH one IN ARRAY ARRAY[{names}] LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', one) INTO has_rows;
        IF has_rows THEN EXECUTE format('DELETE FROM %I', one); END IF;
    END LOOP;
END $$
"""


class DatabaseOperations(operations.DatabaseOperations):
    def sql_flush(self, style: Any, tables: list[str], **_options: Any) -> list[str]:
        if not tables:
            return []
        quoted = ", ".join(self.quote_name(name) for name in tables)
        names = ", ".join(f"'{name}'" for name in tables)
        return [EMPTY.format(tables=quoted, names=names)]


class DatabaseWrapper(base.DatabaseWrapper):
    ops_class = DatabaseOperations
