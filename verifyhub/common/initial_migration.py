"""The first migration of an app: many models, each rendered once.

Django renders every related model again after each operation. All models here are
related through their project, so migrating an empty database took half a minute.
"""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import ProjectState


class InitialMigration(migrations.Migration):
    """Creates models to which no earlier migration refers.

    Its operations create models (indexes and constraints among their options) and run
    SQL; they must not alter a model of an earlier migration.
    """

    initial = True

    def apply(
        self,
        project_state: ProjectState,
        schema_editor: BaseDatabaseSchemaEditor,
        collect_sql: bool = False,
    ) -> ProjectState:
        """Compute the final state in one step, then run the operations on it."""
        if collect_sql:
            return super().apply(project_state, schema_editor, collect_sql)
        existing, apps = set(project_state.models), project_state.apps
        # A state without rendered classes applies operations without rendering.
        del project_state.__dict__["apps"]
        self.mutate_state(project_state, preserve=False)
        added: list[Any] = [
            state for key, state in project_state.models.items() if key not in existing
        ]
        apps.render_multiple(added)
        project_state.__dict__["apps"] = apps
        for operation in self.operations:
            operation.database_forwards(
                self.app_label, schema_editor, project_state, project_state
            )
        return project_state
