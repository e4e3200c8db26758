"""The nearest real name: what a wrong name may have been meant for."""

from dataclasses import dataclass, field

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Levenshtein

from verifyhub.engine.ledger.index import EvidenceIndex
from verifyhub.engine.mentions.words import EXTENSIONS
from verifyhub.engine.text.lookalike import is_disguised, skeleton
from verifyhub.engine.text.paths import Components, components, shown
from verifyhub.engine.text.tokens import humps
from verifyhub.engine.types import Mention, MentionKind

# How like a name another must be to be named as what was meant: the share of letters
# that need no edit, so that `stations` is not near `load_stations`.
_NEAR_ENOUGH = 0.75
# Candidates compared for one name at most: the rest of a large trace is no nearer.
_MOST_CANDIDATES = 300
# Names of one answer that get a suggestion; further ones are told apart only.
_MOST_SUGGESTIONS = 200


@dataclass(frozen=True, slots=True)
class Nearest:
    """Why a name is not there, and the real name nearest to it."""

    reason: str
    suggestion: str | None = None


@dataclass
class Suggester:
    """Answers from the names and paths of the evidence, indexed once when needed."""

    index: EvidenceIndex
    _left: int = _MOST_SUGGESTIONS
    _folded: dict[str, str] = field(default_factory=dict)
    _names: str = ""
    _by_name: dict[str, list[Components]] = field(default_factory=dict)
    _by_stem: dict[str, list[Components]] = field(default_factory=dict)
    _ready: bool = False
    _paths_ready: bool = False

    def nearest(self, mention: Mention) -> Nearest:
        """Say why a mention was not found."""
        self._prepare()
        self._left -= 1
        if mention.kind is MentionKind.FILE:
            return self._nearest_file(mention)
        return self._nearest_name(mention)

    def _prepare(self) -> None:
        if self._ready:
            return
        self._ready = True
        for name in sorted(self.index.observed_names):
            if len(name) < 3 or name.isdigit():
                continue
            self._folded.setdefault(name.casefold(), name)
        self._names = "\n".join(("", *self._folded, ""))

    def _prepare_paths(self) -> None:
        if self._paths_ready:
            return
        self._paths_ready = True
        for path in self.index.observed_paths:
            name = path[-1]
            _keep(self._by_name, name, path)
            stem, _, last = name.rpartition(".")
            if stem and last.lower() in EXTENSIONS:
                _keep(self._by_stem, stem, path)

    def _nearest_name(self, mention: Mention) -> Nearest:
        if mention.kind is MentionKind.DIRECTORY:
            disguised = is_disguised(mention.key)
            return Nearest("look_alike" if disguised else "not_found")
        name = mention.key.replace("/", ".").split(".")[-1]
        if is_disguised(mention.key):
            plain = skeleton(name)
            if plain in self.index.observed_names:
                return Nearest("look_alike", plain)
        other = self._folded.get(name.casefold())
        if other is not None and other != name:
            same = self._is_kind(other, mention.kind)
            return Nearest("case_differs", other if same else None)
        if self._left < 0:
            return Nearest("not_found")
        return Nearest("not_found", self._fuzzy(name, mention.kind))

    def _is_kind(self, name: str, kind: MentionKind) -> bool:
        """Whether a real name is the kind of thing that the wrong one passed for."""
        if kind is MentionKind.FUNCTION:
            return name in self.index.called_names
        if kind is MentionKind.CLASS:
            return name[:1].isupper()
        if kind is MentionKind.ENVIRONMENT_VARIABLE:
            return name.isupper()
        return kind in {MentionKind.IDENTIFIER, MentionKind.PACKAGE}

    def _fuzzy(self, name: str, kind: MentionKind) -> str | None:
        names = [self._folded[other] for other in self._like(humps(name))]
        near = process.extract(
            name,
            [other for other in names if self._is_kind(other, kind)],
            scorer=Levenshtein.normalized_similarity,
            score_cutoff=_NEAR_ENOUGH,
            limit=1,
        )
        return str(near[0][0]) if near else None

    def _like(self, pieces: list[str]) -> list[str]:
        """Return folded names that hold a piece of a name, the rarest piece first.

        One text of all names is searched, not an index of their pieces: that costs
        more to build than all the searches of an answer.
        """
        text = self._names
        long = {piece for piece in pieces if len(piece) > 2}
        # A word with one wrong letter still begins or ends right.
        long |= {part for word in long for part in (word[:4], word[-4:])}
        found: dict[str, None] = {}
        for piece in sorted(long, key=lambda part: (text.count(part), part)):
            place = text.find(piece)
            for _ in range(_MOST_CANDIDATES):
                if place < 0 or len(found) >= _MOST_CANDIDATES:
                    break
                end = text.index("\n", place)
                found[text[text.rindex("\n", 0, place) + 1 : end]] = None
                place = text.find(piece, end)
        return list(found)

    def _nearest_file(self, mention: Mention) -> Nearest:
        self._prepare_paths()
        parts = components(mention.key)
        plain = components(skeleton(mention.key))
        name = parts[-1]
        same = self._by_name.get(name.casefold(), [])
        if plain != parts:
            disguised = self._by_name.get(plain[-1].casefold(), [])
            if disguised:
                return Nearest("look_alike", self._best(plain, disguised))
        exact = [path for path in same if path[-1] == name]
        if exact:
            return self._other_folder(parts, exact)
        if same:
            return Nearest("case_differs", self._best(parts, same))
        siblings = self._by_stem.get(name.rpartition(".")[0].casefold(), [])
        if siblings:
            return Nearest("wrong_extension", self._best(parts, siblings))
        if self._left < 0:
            return Nearest("not_found")
        return Nearest("not_found", self._fuzzy_file(parts))

    def _other_folder(self, parts: Components, exact: list[Components]) -> Nearest:
        folded = tuple(part.casefold() for part in parts)
        for path in exact:
            tail = tuple(part.casefold() for part in path[-len(parts) :])
            if tail == folded:
                return Nearest("case_differs", shown(path))
        return Nearest("wrong_directory", self._best(parts, exact))

    def _fuzzy_file(self, parts: Components) -> str | None:
        name = parts[-1]
        stem = name.rpartition(".")[0] or name
        stems = [other for other in self._like(humps(stem)) if other in self._by_stem]
        best = process.extractOne(
            stem.casefold(),
            stems,
            scorer=Levenshtein.normalized_similarity,
            score_cutoff=_NEAR_ENOUGH,
        )
        return None if best is None else self._best(parts, self._by_stem[best[0]])

    def _best(self, parts: Components, paths: list[Components]) -> str | None:
        if self._left < 0:
            return None
        wanted = shown(parts)
        return max(
            (shown(path) for path in paths),
            key=lambda path: (fuzz.ratio(wanted, path), path),
        )


def _keep(table: dict[str, list[Components]], name: str, path: Components) -> None:
    paths = table.setdefault(name.casefold(), [])
    if len(paths) < _MOST_CANDIDATES:
        paths.append(path)
