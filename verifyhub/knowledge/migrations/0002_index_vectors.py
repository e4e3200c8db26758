"""Index vectors by a function of the owner: servers own no table to index."""

from django.db import migrations

CREATE = """
CREATE FUNCTION knowledge_index_vectors(dimension integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF dimension NOT BETWEEN 1 AND 4000 THEN
        RAISE EXCEPTION 'no vector has % numbers', dimension;
    END IF;
    -- The same as `knowledge.models.vector_index`.
    EXECUTE format(
        'CREATE INDEX IF NOT EXISTS passage_vector_%1$s ON knowledge_passagevector'
        ' USING hnsw ((embedding::halfvec(%1$s)) halfvec_cosine_ops)'
        ' WITH (m = 16, ef_construction = 128) WHERE dimension = %1$s', dimension
    );
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0001_tables")]

    operations = [
        migrations.RunSQL(CREATE, "DROP FUNCTION knowledge_index_vectors(integer)"),
    ]
