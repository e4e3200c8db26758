"""Suggest the real name that a wrong name may stand for."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Levenshtein

from verifyhub.engine.grounding.nearby import MOST_CANDIDATES, Nearby, PartialMatch
from verifyhub.engine.ledger.sources import LedgerSource
from verifyhub.engine.text.lookalike import is_disguised, skeleton
from verifyhub.engine.text.paths import Components, components, shown
from verifyhub.engine.text.tokens import humps
from verifyhub.engine.types import Mention, MentionKind

# The minimum similarity of a suggestion: the share of letters that need no edit, so
# that `stations` is not similar to `load_stations`.
_NEAR_ENOUGH = 0.72
# In a word with so few letters, one wrong letter leaves no four consecutive letters.
_SHORT = 5
# The same for the folders of a path (0..100), if several files have its name.
_NEAR_PATH = 60
_FEW = 3
# Names of one answer that get a suggestion; more names, up to the second number, are
# only distinguished; further ones count as not found.
_MAX_SUGGESTIONS = 200
_MAX_DISTINGUISHED = 2_000


@dataclass(frozen=True, slots=True)
class Nearest:
    """The reason why a name has no evidence, and the most similar real name."""

    reason: str
    suggestion: str | None = None


class Suggester:
    """Suggests real names for missing ones.

    The first 200 of them, in the order of the answer, get a suggestion; the first 2,000
    are distinguished from names that are only spelled differently.
    """

    def __init__(
        self, absent: Iterable[Mention], sources: Iterable[LedgerSource]
    ) -> None:
        self._nearby = Nearby()
        self._suggested: set[Mention] = set()
        for mention in itertools.islice(absent, _MAX_DISTINGUISHED):
            suggests = len(self._suggested) < _MAX_SUGGESTIONS
            if suggests:
                self._suggested.add(mention)
            if mention.kind is MentionKind.FILE:
                self._ask_for_file(mention, suggests=suggests)
            elif mention.kind is not MentionKind.DIRECTORY:
                name = _last_name(mention)
                for form in (name, skeleton(name)):
                    if len(form) > 2 and not form.isdigit():
                        self._nearby.spellings.setdefault(form.lower(), {})
                if suggests:
                    self._ask_for_pieces(name, files=False)
        self._nearby.gather(sources)

    def nearest(self, mention: Mention) -> Nearest:
        """Return the reason why a mention was not found."""
        if mention.kind is MentionKind.FILE:
            return self._nearest_file(mention)
        disguised = is_disguised(mention.key)
        if mention.kind is MentionKind.DIRECTORY:
            return Nearest("look_alike" if disguised else "not_found")
        name = _last_name(mention)
        if disguised:
            plain = skeleton(name)
            if plain in self._nearby.spellings.get(plain.lower(), {}):
                return Nearest("look_alike", plain)
        others = self._nearby.spellings.get(name.lower(), {})
        # Only an ordinary word follows the dot: `state.input`.
        is_word = "." in mention.key and name.isalpha() and name.islower()
        if others and name not in others and not is_word:
            same = [o for o, called in others.items() if _is_kind(o, called, mention)]
            return Nearest("case_differs", min(same, default=None))
        return Nearest("not_found", self._fuzzy(name, mention))

    def _ask_for_file(self, mention: Mention, *, suggests: bool) -> None:
        for form in (mention.key, skeleton(mention.key)):
            name = components(form)[-1].lower()
            self._nearby.by_name.setdefault(name, [])
            stem = name.rpartition(".")[0]
            if stem:
                self._nearby.by_stem.setdefault(stem, [])
        if suggests:
            self._ask_for_pieces(_stem(components(mention.key)[-1]), files=True)

    def _ask_for_pieces(self, name: str, *, files: bool) -> None:
        for part in _pieces(name):
            piece = self._nearby.pieces.setdefault(part, PartialMatch())
            piece.widen(len(name), files=files)

    def _fuzzy(self, name: str, mention: Mention) -> str | None:
        if mention not in self._suggested:
            return None
        others = (
            other
            for piece in self._pieces_of(name)
            for other, called in piece.names.items()
            if other != mention.key and _is_kind(other, called, mention)
        )
        # Of equally similar names, the first in alphabetical order.
        candidates = sorted(set(itertools.islice(others, MOST_CANDIDATES)))
        longer = [other for other in candidates if is_short_form(name, other)]
        best = process.extractOne(
            name,
            candidates,
            scorer=Levenshtein.normalized_similarity,
            score_cutoff=_NEAR_ENOUGH,
        )
        if longer:
            return _scoped(mention.key, longer[0])
        return None if best is None else _scoped(mention.key, str(best[0]))

    def _pieces_of(self, name: str) -> Iterator[PartialMatch]:
        """Yield the matches of the pieces of a name, the rarest piece first."""
        pieces = [self._nearby.pieces[part] for part in _pieces(name)]
        yield from sorted(pieces, key=lambda piece: len(piece.names) + len(piece.stems))

    def _nearest_file(self, mention: Mention) -> Nearest:
        parts = components(mention.key)
        plain = components(skeleton(mention.key))
        name = parts[-1]
        same = self._nearby.by_name.get(name.lower(), [])
        if plain != parts:
            disguised = self._nearby.by_name.get(plain[-1].lower(), [])
            if disguised:
                return Nearest("look_alike", self._best(mention, plain, disguised))
        exact = [path for path in same if path[-1] == name]
        if exact:
            return self._other_folder(mention, parts, exact)
        if same:
            return Nearest("case_differs", self._best(mention, parts, same))
        siblings = self._nearby.by_stem.get(name.rpartition(".")[0].lower(), [])
        if siblings:
            return Nearest("wrong_extension", self._best(mention, parts, siblings))
        return Nearest("not_found", self._fuzzy_file(mention, parts))

    def _other_folder(
        self, mention: Mention, parts: Components, exact: list[Components]
    ) -> Nearest:
        folded = tuple(part.casefold() for part in parts)
        for path in exact:
            tail = tuple(part.casefold() for part in path[-len(parts) :])
            if tail == folded:
                return Nearest("case_differs", shown(path))
        return Nearest("wrong_directory", self._best(mention, parts, exact))

    def _fuzzy_file(self, mention: Mention, parts: Components) -> str | None:
        if mention not in self._suggested:
            return None
        stem = _stem(parts[-1])
        stems: dict[str, list[Components]] = {}
        for piece in self._pieces_of(stem):
            stems |= piece.stems
        best = process.extractOne(
            stem.lower(),
            list(stems)[:MOST_CANDIDATES],
            scorer=Levenshtein.normalized_similarity,
            score_cutoff=_NEAR_ENOUGH,
        )
        return None if best is None else self._best(mention, parts, stems[best[0]])

    def _best(
        self, mention: Mention, parts: Components, paths: list[Components]
    ) -> str | None:
        if mention not in self._suggested:
            return None
        if parts[0] != "":
            # `src/{a => b}/x.py` in a diff's statistics leaves `/x.py`, which is not a
            # file.
            paths = [path for path in paths if len(path) != 2 or path[0] != ""]
        if not paths:
            return None
        spelling = shown(parts)
        best = max(
            _without_diff_marks(paths),
            key=lambda path: (fuzz.ratio(spelling, path), path),
        )
        # One of many files with a common name (`index.ts`) is only suggested if it is
        # similar.
        folders = shown(parts[:-1]), best.rpartition("/")[0]
        near = len(paths) <= _FEW or fuzz.ratio(*folders) >= _NEAR_PATH
        return best if near or not folders[0] else None


def _without_diff_marks(paths: list[Components]) -> set[str]:
    """Return paths without the marks of a diff's sides: `a/src/x.py`, `b/src/x.py`."""
    known = set(paths)
    shown_paths = set()
    for path in paths:
        other = {"a": "b", "b": "a"}.get(path[0])
        marked = other and len(path) > 1
        if marked and (path[1:] in known or (other, *path[1:]) in known):
            path = path[1:]
        shown_paths.add(shown(path))
    return shown_paths


def is_short_form(name: str, other: str) -> bool:
    """Return whether a name is the last words of another: `SessionStop` of an enum's
    `EventSessionStop`."""
    several = name[:1].isupper() and len(humps(name)) > 1
    return several and name != other and other.endswith(name)


def _scoped(key: str, name: str) -> str:
    """Return a real name with the scope of the wrong one: `@scope/core`."""
    scope, slash, _ = key.rpartition("/")
    return f"{scope}/{name}" if slash and key.startswith("@") else name


def _last_name(mention: Mention) -> str:
    return mention.key.replace("/", ".").split(".")[-1]


def _stem(name: str) -> str:
    return name.rpartition(".")[0] or name


def _pieces(name: str) -> list[str]:
    """Return the words in a name, with their beginnings and ends.

    A word with one wrong letter still has the right beginning or end.
    """
    long = {piece for piece in humps(name) if len(piece) > 2}
    long |= {
        part
        for word in long
        for size in (3 if len(word) <= _SHORT else 4,)
        for part in (word[:size], word[-size:])
    }
    return sorted(long)


def _is_kind(name: str, called: bool, mention: Mention) -> bool:
    """Return whether a real name is of the same kind as the wrong one."""
    kind = mention.kind
    if kind is MentionKind.FUNCTION:
        return called
    if kind is MentionKind.CLASS:
        return name[:1].isupper()
    if kind is MentionKind.ENVIRONMENT_VARIABLE:
        return name.isupper()
    return kind in {MentionKind.IDENTIFIER, MentionKind.PACKAGE}
