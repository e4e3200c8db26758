"""Shapes of exports in the API."""

from rest_framework import serializers

from verifyhub.exports.download import downloads
from verifyhub.exports.models import ExportJob
from verifyhub.exports.writing import FileFormat


class JobSerializer(serializers.ModelSerializer[ExportJob]):
    """An export that a worker makes."""

    format = serializers.ChoiceField(source="written_as", choices=list(FileFormat))
    filters = serializers.DictField(child=serializers.CharField())
    made_since = serializers.DateTimeField(source="since", allow_null=True)
    made_before = serializers.DateTimeField(source="until")
    schedule = serializers.CharField(
        source="schedule.name", default=None, allow_null=True
    )
    bytes = serializers.IntegerField(source="size")
    files = serializers.SerializerMethodField(
        help_text="Names to download it by, once it is finished and until it expires."
    )
    expected = serializers.IntegerField(
        allow_null=True, help_text="Rows to look through; null until it is known."
    )

    class Meta:
        model = ExportJob
        fields = [
            *("id", "state", "datasets", "format", "filters", "made_since"),
            *("made_before", "asked_by", "schedule", "expected", "rows", "bytes"),
            *("error", "created_at", "finished_at", "expires_at", "files"),
        ]

    def get_files(self, job: ExportJob) -> list[str]:
        return downloads(job)
