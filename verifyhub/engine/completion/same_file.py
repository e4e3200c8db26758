"""Whether two names mean one file, as far as an answer spells them."""


def same_file(name: str, path: str) -> bool:
    """Return whether `name` is `path` or its last components."""
    if name.rsplit("/", 1)[-1].lower() != path.rsplit("/", 1)[-1].lower():
        return False
    name_parts = [
        part for part in name.lower().split("/") if part not in {"", ".", "~"}
    ]
    path_parts = [
        part for part in path.lower().split("/") if part not in {"", ".", "~"}
    ]
    size = min(len(name_parts), len(path_parts))
    return size > 0 and name_parts[-size:] == path_parts[-size:]
