"""Profiles: YAML with `extends`, checked, merged and frozen. No rule is read here.

`load_profile` answers by name (a file in profiles/) or by path, either with the switches
that the profile has; what the keys mean is for tables.py alone.
"""

from __future__ import annotations

import copyreg
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from skatspec import resources
from skatspec.diagnostics import Severity, catalog
from skatspec.errors import ProfileError
from skatspec.rules import shape, switches, yaml_lines

_FOLDER = Path(__file__).with_name("profiles")
_MAX_CHAIN = 16
# The profile whose `sources` name every topic.
_ROOT = "isko-2022"
# Keys that describe a profile rather than a rule: not inherited, not in the digest.
_OWN_KEYS = ("name", "extends", "apply", "title", "edition", "deviations")
# Keys that are inherited, and rule nothing.
_NO_RULES = ("sources", "language", "switches")
# Mappings whose entries are replaced whole: a state without `only` must lose it, a switch
# that is defined anew sets what it says and nothing else.
_WHOLE = (("auction", "states"), ("switches",))

Place = tuple[str, int]


def _proxy(data: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(data)


# Frozen mappings go to worker processes, too.
copyreg.pickle(MappingProxyType, lambda frozen: (_proxy, (dict(frozen),)))


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile with everything inherited filled in.

    `chain` names it and what it extends, nearest first; `places` gives the file and
    line that set a path; `digest` is the sha256 of the rules alone.
    """

    name: str
    title: str
    edition: str
    chain: tuple[str, ...]
    data: Mapping[str, Any]
    places: Mapping[yaml_lines.Path, Place]
    digest: str

    def cite(self, topic: str) -> str:
        """Return where the rule `topic` stands, with its edition; "" when no source is known."""
        return str(self.data["sources"].get(topic, ""))

    def severity(self, code: str) -> Severity:
        """Return the weight this profile gives a code."""
        row = catalog()[code]
        own = self.data["severities"].get(row.name)
        return Severity(own) if own else row.severity


def available() -> list[str]:
    """Return the names of the packaged profiles."""
    return sorted(path.stem for path in _FOLDER.glob("*.yaml"))


def load_profile(name: str | Path) -> Profile:
    """Load a packaged profile by name, or a YAML file by path; a name may have switches behind it.

    `xskat -ramsch -kontra` is the profile with what these switches set, and named so.
    Raises ProfileError with an F code and the YAML line.
    """
    text = str(name)
    if text in available():
        return _packaged(text)
    base, words = switches.split(text)
    if isinstance(name, Path) or (words and _is_file(text)):
        return _load(Path(text))
    if base in available():
        return _load(_FOLDER / f"{base}.yaml", validate=False, words=words)
    if base.endswith((".yaml", ".yml")) or "/" in base:
        return _load(Path(base), words=words)
    known = ", ".join(available())
    raise ProfileError("F005", f"there is no profile {base!r}; there are: {known}", text)


def load_packaged(name: str) -> Profile:
    """Load a packaged profile by name, perhaps with switches behind it; never a file.

    Names come from records and messages of strangers, too. Raises ProfileError F005, F008.
    """
    base, words = (name, "") if name in available() else switches.split(name)
    if base not in available():
        known = ", ".join(available())
        raise ProfileError("F005", f"there is no profile {base!r}; there are: {known}", name)
    return _load(_FOLDER / f"{base}.yaml", validate=False, words=words)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except OSError:  # no name that a file can have
        return False


# What a profile is put together from, before it has any keys.
_MADE_OF = ("extends", "apply", "switches")


def with_settings(profile: Profile, settings: Sequence[str]) -> Profile:
    """Return a profile with single keys changed: `winning.points=62`, values as in YAML.

    Raises ProfileError F003 for a key that the profile does not have, F002 for a value
    that does not fit, F001 for words that are no setting.
    """
    data: dict[str, Any] = plain(profile.data)
    for setting in settings:
        key, sign, text = setting.partition("=")
        if not sign:
            raise ProfileError("F001", f"{setting!r} is no setting; write key=value", "--set")
        if key.strip().partition(".")[0] in _MADE_OF:
            raise ProfileError("F003", f"{key.strip()} is no key of the rules", "--set")
        value, _ = yaml_lines.load(text, "--set")
        _set(data, key.strip(), value)
    places: dict[yaml_lines.Path, Place] = {}
    layer = _Layer(profile.name, "--set", data, {})
    _validate(data, places, layer)
    name = f"{profile.name} with {', '.join(settings)}"
    return Profile(
        name, profile.title, profile.edition, (name, *profile.chain),
        _freeze(data), MappingProxyType(places), _digest(data),
    )  # fmt: skip


def _set(data: dict[str, Any], dotted: str, value: Any) -> None:
    """Change one key in place, or take it away; whether a new one may be, the schema says."""
    *way, last = dotted.split(".")
    holder: Any = data
    for at, step in enumerate(way):
        if not isinstance(holder, dict) or step not in holder:
            raise _no_key(dotted, way[:at], holder)
        holder = holder[step]
    if not isinstance(holder, dict):
        raise _no_key(dotted, way, holder)
    if value is None:
        holder.pop(last, None)
    else:
        holder[last] = value


def _no_key(dotted: str, way: list[str], holder: Any) -> ProfileError:
    where = ".".join(way) or "the profile"
    known = ", ".join(holder) if isinstance(holder, dict) else "none, it is a value"
    return ProfileError("F003", f"unknown key {dotted}; keys of {where}: {known}", "--set")


@cache
def _packaged(name: str) -> Profile:
    # Packaged profiles are validated by the tests, not at every start.
    return _load(_FOLDER / f"{name}.yaml", validate=False)


@dataclass(frozen=True, slots=True)
class _Layer:
    name: str
    source: str
    data: dict[str, Any]
    lines: yaml_lines.Lines


def _read_layer(path: Path) -> _Layer:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ProfileError("F005", "no such file", str(path)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError("F001", f"cannot be read: {error}", str(path)) from None
    source = path.stem if path.parent == _FOLDER else str(path)
    data, lines = yaml_lines.load(text, source)
    if not isinstance(data, dict):
        raise ProfileError("F002", "a profile is a mapping of keys", source, 1)
    return _Layer(str(data.get("name", path.stem)), source, data, lines)


def _next_path(layer: _Layer, here: Path) -> Path | None:
    """Return the file that a layer extends (or is an alias of)."""
    key = "alias" if "alias" in layer.data else "extends"
    wanted = layer.data.get(key)
    if wanted is None:
        return None
    line = layer.lines.get((key,), 0)
    if not isinstance(wanted, str):
        raise ProfileError("F002", f"`{key}` names one profile", layer.source, line)
    if wanted in available():
        return _FOLDER / f"{wanted}.yaml"
    if wanted.endswith((".yaml", ".yml")):
        return here.parent / wanted
    raise ProfileError("F005", f"`{key}`: there is no profile {wanted!r}", layer.source, line)


def _layers(path: Path) -> list[_Layer]:
    """Return the chain of files, nearest first; refuse a cycle."""
    layers: list[_Layer] = []
    seen: set[Path] = set()
    following: Path | None = path
    while following is not None:
        resolved = following.resolve()
        if resolved in seen or len(layers) >= _MAX_CHAIN:
            last = layers[-1]
            line = last.lines.get(("extends",), last.lines.get(("alias",), 0))
            chain = " -> ".join([layer.name for layer in layers])
            raise ProfileError("F004", f"`extends` runs in a circle: {chain}", last.source, line)
        seen.add(resolved)
        layer = _read_layer(resolved)
        layers.append(layer)
        following = _next_path(layer, resolved)
    return layers


def _load(path: Path, validate: bool = True, words: str = "") -> Profile:
    layers = _layers(path)
    data: dict[str, Any] = {}
    places: dict[yaml_lines.Path, Place] = {}
    for layer in reversed(layers):
        if "alias" in layer.data:
            _check_alias(layer)
            continue
        for key in _OWN_KEYS:
            data.pop(key, None)
        _apply(data, layer, places)
        _merge(data, layer.data, (), layer, places)
    if words:
        named = f"{layers[0].name} {words}"
        _switch(data, words, places, _Layer(layers[0].name, named, {}, {}))
    data.setdefault("deviations", [])
    top = next(layer for layer in layers if "alias" not in layer.data)
    data.setdefault("name", top.name)
    data.setdefault("title", data["name"])
    data.setdefault("edition", data["name"])
    if validate:
        _validate(data, places, layers[0])
        _validate_switches(data, places, layers[0])
    chain = [layer.name for layer in layers]
    if layers[0].source not in available() and chain[0] in available():
        # verdicts name their rules: a file does not pass for the packaged profile of its name
        chain[0] = f"{chain[0]} ({layers[0].source})"
    if words:
        chain.insert(0, f"{chain[0]} {words}")
    return Profile(
        chain[0], str(data["title"]), str(data["edition"]), tuple(chain),
        _freeze(data), MappingProxyType(places), _digest(data),
    )  # fmt: skip


def _apply(data: dict[str, Any], layer: _Layer, places: dict[yaml_lines.Path, Place]) -> None:
    """Apply the switches that a profile names over what it extends, its own ones included."""
    own = {key: value for key, value in layer.data.items() if key == "switches"}
    _merge(data, own, (), layer, places)
    line = layer.lines.get(("apply",), 0)
    words = layer.data.get("apply", "")
    if not isinstance(words, str):
        raise ProfileError("F002", "`apply` is a text of switches", layer.source, line)
    _switch(data, words, places, _Layer(layer.name, layer.source, {}, {(): line}))


def _switch(
    data: dict[str, Any], words: str, places: dict[yaml_lines.Path, Place], given: _Layer
) -> None:
    """Merge what switches set, each at the place where the switch is defined.

    `given` says where the switches are named: by whom, in what file, on the line of `()`.
    """
    table = data.get("switches", {})
    _check_shape(table, places, given)
    line = given.lines.get((), 0)
    for name, keys in list(switches.settings(words, table, given.name, given.source, line)):
        at = ("switches", name)
        lines = dict.fromkeys(_paths((), keys), places[at][1])  # a number's switch has no others
        lines |= {path[2:]: line for path, (_, line) in places.items() if path[:2] == at}
        _merge(data, keys, (), _Layer(name, places[at][0], {}, lines), places)


def _check_shape(table: Any, places: Mapping[yaml_lines.Path, Place], top: _Layer) -> None:
    """Refuse switches that cannot be read, before the schema has seen them."""
    for name, entry in _mapping(table).items():
        number = _mapping(entry).get("number", {"key": "", "bits": {}})
        bits = _mapping(_mapping(number).get("bits"))
        sound = (
            isinstance(entry, (int, dict))
            and isinstance(_mapping(number).get("key"), str)
            and all(switches.is_number(bit) for bit in bits)
        )
        if not sound:
            source, line = _place(places, ("switches", name), top)
            text = f"switches.{name}: takes a number of words, a `number`, or keys to set"
            raise ProfileError("F002", text, source, line)
    if not isinstance(table, dict):
        source, line = _place(places, ("switches",), top)
        raise ProfileError("F002", "switches: a mapping of switches", source, line)


def _check_alias(layer: _Layer) -> None:
    for key in layer.data:
        if key not in ("name", "alias"):
            line = layer.lines.get((key,), 0)
            raise ProfileError("F003", f"an alias has no key {key!r}", layer.source, line)


def _merge(
    into: dict[str, Any],
    new: Mapping[str, Any],
    path: yaml_lines.Path,
    layer: _Layer,
    places: dict[yaml_lines.Path, Place],
) -> None:
    """Merge mappings key by key; null takes a key away, every other value replaces what was."""
    for key, value in new.items():
        here = (*path, key)
        places[here] = (layer.source, layer.lines.get(here, 0))
        old = into.get(key)
        if isinstance(value, dict) and isinstance(old, dict) and path not in _WHOLE:
            _merge(old, value, here, layer, places)
        elif path == ("switches",):
            for inner in _paths(here, value):
                places[inner] = (layer.source, layer.lines.get(inner, 0))
            into[key] = value  # as it stands: a null in it is for the rules
        elif isinstance(value, dict):
            into[key] = {}
            _merge(into[key], value, here, layer, places)
        elif value is None:
            into.pop(key, None)
        else:
            into[key] = value


def _paths(path: yaml_lines.Path, value: Any) -> Iterator[yaml_lines.Path]:
    """Yield the path of a value and of everything in its mappings."""
    todo = [(path, value)]
    while todo:
        here, one = todo.pop()
        yield here
        todo += [((*here, key), inner) for key, inner in _mapping(one).items()]


def _validate(
    data: Mapping[str, Any], places: Mapping[yaml_lines.Path, Place], top: _Layer
) -> None:
    import jsonschema  # heavy, and only a user's own profile needs it

    schema = json.loads(resources.text("schemas", "profile.schema.json"))
    validator = jsonschema.Draft202012Validator(schema)
    errors = sorted(validator.iter_errors(_ranks_as_words(data)), key=lambda e: len(e.path))
    for error in errors:
        path: yaml_lines.Path = tuple(error.absolute_path)
        if error.validator == "additionalProperties" and isinstance(error.instance, dict):
            known = error.schema.get("properties", {})
            for key in error.instance:
                if key not in known and known:
                    source, line = _place(places, (*path, key), top)
                    raise ProfileError(
                        "F003",
                        f"unknown key {_dotted((*path, key))}; known here: {', '.join(known)}",
                        source, line,
                    )  # fmt: skip
        source, line = _place(places, path, top)
        raise ProfileError("F002", f"{_dotted(path)}: {shape.expected(error)}", source, line)
    known = {*load_profile(_ROOT).data["sources"], *(row.topic for row in catalog().values())}
    for key in data["sources"]:
        if key not in known:
            source, line = _place(places, ("sources", key), top)
            topics = ", ".join(sorted(known - {""}))
            raise ProfileError("F003", f"sources: no topic {key}; topics: {topics}", source, line)
    for key in data["severities"]:
        if not any(row.name == key for row in catalog().values()):
            source, line = _place(places, ("severities", key), top)
            raise ProfileError("F003", f"severities: there is no code named {key}", source, line)


def _validate_switches(
    data: Mapping[str, Any], places: Mapping[yaml_lines.Path, Place], top: _Layer
) -> None:
    """Check what each switch of a user's own makes of the profile; the packaged ones are tested."""
    for name in data.get("switches", {}):
        source, _ = places[("switches", name)]
        if source in available():
            continue
        for text in switches.examples(name, data["switches"]):
            changed, changed_places = plain(_freeze(data)), dict(places)
            _switch(changed, text, changed_places, _Layer(top.name, source, {}, {}))
            _validate(changed, changed_places, top)


def _ranks_as_words(data: Mapping[str, Any]) -> dict[str, Any]:
    """YAML reads the ranks 7, 8 and 9 as numbers; the schema wants one kind of rank."""
    copy: dict[str, Any] = json.loads(json.dumps(data))
    for holder in (copy.get("deck"), *(_mapping(copy.get("contracts"))).values()):
        if isinstance(holder, dict) and isinstance(holder.get("ranks"), list):
            holder["ranks"] = [str(rank) for rank in holder["ranks"]]
    return copy


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _place(places: Mapping[yaml_lines.Path, Place], path: yaml_lines.Path, top: _Layer) -> Place:
    while path:
        if path in places:
            return places[path]
        path = path[:-1]
    return (top.source, 1 if top.lines else 0)


def _dotted(path: yaml_lines.Path) -> str:
    return ".".join(str(part) for part in path) or "the profile"


def _freeze(value: Any) -> Any:
    if isinstance(value, dict):
        return MappingProxyType({key: _freeze(item) for key, item in value.items()})
    if isinstance(value, list):
        return tuple(_freeze(item) for item in value)
    return value


def plain(value: Any) -> Any:
    """Return frozen profile data as ordinary dicts and lists, for printing."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value


def _digest(data: Mapping[str, Any]) -> str:
    rules = {k: v for k, v in data.items() if k not in (*_OWN_KEYS, *_NO_RULES)}
    text = json.dumps(rules, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
