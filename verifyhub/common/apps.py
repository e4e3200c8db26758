from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "verifyhub.common"
    label = "common"

    def ready(self) -> None:
        from verifyhub.common import replaced_migrations  # noqa: F401  registers a check
