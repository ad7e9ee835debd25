"""The suite in a folder of its own, for programs in any language: JSON alone, files inside."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from skatspec import resources
from skatspec.conformance import manifest
from skatspec.conformance.cases import Case, Rule
from skatspec.errors import UsageError

CASES, SCHEMAS = "cases", "schemas"
_ABOUT = """\
# Known answers about Skat

{count} cases of edition {edition} of the suite of skatspec. Each file under `cases/` is one
question with its known answer, of the shape `schemas/case.schema.json`; whatever file a
question is about stands inside it, as `record`, or as `base64` where its bytes are no UTF-8
on purpose. `tags.json` names the tags that stand for a rule.

`MANIFEST.json` has the digest of every published case: the SHA-256 of an object of its keys
{keys},
written as JSON in UTF-8, keys sorted, without blanks, and without escapes that JSON does not
require.

`schemas/protocol/` has the messages by which `skatspec conform run` asks an engine.
"""


def export(cases: Iterable[Case], rules: Iterable[Rule], folder: str | Path) -> int:
    """Write cases, schemas, the tags of rules and the manifest; return how many cases there are.

    Raises UsageError where the folder holds something already, or cannot be written.
    """
    root = Path(folder)
    try:
        if root.exists() and (not root.is_dir() or any(root.iterdir())):
            raise UsageError(f"{folder} is there already, and not empty")
        return _write(list(cases), rules, root)
    except OSError as error:
        raise UsageError(f"{error.filename or folder}: {error.strerror}") from None


def _write(cases: list[Case], rules: Iterable[Rule], root: Path) -> int:
    (root / CASES).mkdir(parents=True)
    for case in cases:
        _json(root / CASES / f"{case.id}.json", case.document())
    source = resources.locate(SCHEMAS)
    (root / SCHEMAS / "protocol").mkdir(parents=True)
    for path in sorted(source.rglob("*.schema.json")):
        shutil.copyfile(path, root / SCHEMAS / path.relative_to(source))
    _json(root / "tags.json", {rule.tag: rule.text for rule in rules})
    published = manifest.read()
    digests = {name: row["digest"] for name, row in published["cases"].items()}
    rows = {
        case.id: {**published["cases"][case.id], "path": f"{CASES}/{case.id}.json"}
        for case in cases
        if digests.get(case.id) == manifest.digest(case)  # somebody's own may have an id of ours
    }
    _text(root / manifest.NAME, manifest.text({**published, "cases": rows}))
    keys = ", ".join(f"`{key}`" for key in manifest.PUBLISHED)
    about = _ABOUT.format(count=len(cases), edition=manifest.edition(published), keys=keys)
    _text(root / "README.md", about)
    return len(cases)


def _json(path: Path, data: object) -> None:
    _text(path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def _text(path: Path, text: str) -> None:
    # a lone surrogate has no UTF-8: JSON writes it as an escape
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except UnicodeEncodeError:
        path.write_text(json.dumps(json.loads(text), indent=2) + "\n", newline="\n")
