from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "verifyhub.common"
    label = "common"
