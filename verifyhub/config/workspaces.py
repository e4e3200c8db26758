"""The folders that the operator gives to projects: to be read, or to be written to."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from verifyhub.common.env import SettingError

# Neither these, nor folders below or above them, may be workspaces.
SYSTEM = ("/bin", "/boot", "/dev", "/etc", "/lib", "/proc", "/root", "/run", "/sbin",
          "/sys", "/usr")  # fmt: skip


def workspace_roots(
    entries: Iterable[str],
    own: Iterable[Path],
    *,
    setting: str = "VERIFYHUB_WORKSPACE_ROOTS",
) -> Mapping[str, str]:
    """Read `slug=/absolute/folder` entries.

    Args:
        entries: One per project.
        own: Folders of the server itself, refused like those of the system.
        setting: The setting's name, for error messages.

    Raises:
        SettingError: If an entry has another form, repeats a project, or its folder is
            not absolute, belongs to the system or the server, or contains such a
            folder.
    """
    roots: dict[str, str] = {}
    refused = [folder.resolve() for folder in (*map(Path, SYSTEM), *own)]
    for entry in entries:
        slug, separator, folder = entry.partition("=")
        if not (slug and separator and folder.startswith("/")):
            raise SettingError(f"{setting}: {entry!r} is not slug=/absolute/folder")
        if slug in roots:
            raise SettingError(f"{setting} names {slug} twice")
        # Links are resolved here, for the operator's path, and nowhere else.
        root = Path(folder).resolve()
        for folder_of_others in refused:
            inside = root.is_relative_to(folder_of_others)
            if inside or folder_of_others.is_relative_to(root):
                raise SettingError(
                    f"{setting}: {slug}: {root} belongs to the system"
                    " or to VerifyHub itself"
                )
        roots[slug] = str(root)
    return roots
