"""The suite's manifest: a digest for each published case, and which edition brought it.

A case's question and answer are published once and never edited; cases are only added. One
that turns out wrong is withdrawn: its file goes, its row stays and says why. What explains a
case - tags, note, source, the words of its rule - may get better.

`python -m skatspec.conformance.manifest DATE` publishes the cases that are new, as an
edition of that date; it changes nothing where a published case is changed or gone.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from skatspec import resources
from skatspec.conformance.cases import Case, load_suite
from skatspec.errors import SkatspecError

NAME = "MANIFEST.json"
WITHDRAWN = "withdrawn"  # why a case is no longer asked; its id is never used again
# What is published: the question, the rules it is asked under, and the answer.
PUBLISHED = ("id", "task", "rules", "level", "input", "expect")

Manifest = dict[str, Any]


def digest(case: Case) -> str:
    """Return the digest of a case's published parts, its files inside.

    It is the SHA-256 of JSON in UTF-8 with sorted keys, no blanks and no escapes but those
    that JSON requires, so that every language can compute it.
    """
    whole = case.document()
    return _sha256(_canonical({key: whole[key] for key in PUBLISHED}))


def _canonical(value: Any) -> bytes:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def _sha256(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def edition_digest(number: int, cases: Mapping[str, Mapping[str, Any]]) -> str:
    """Return one digest for all cases of an edition."""
    rows = {name: row["digest"] for name, row in cases.items() if row["edition"] == number}
    return _sha256(_canonical(rows))


def read(folder: Path | None = None) -> Manifest:
    """Return the manifest of the packaged suite, or of a folder; an empty one where none is."""
    path = (folder or resources.locate("records")) / NAME
    if not path.is_file():
        return {"editions": [], "cases": {}}
    data: Manifest = json.loads(path.read_text(encoding="utf-8"))
    return data


def edition(manifest: Manifest) -> int:
    """Return the number of the newest edition, 0 where nothing is published."""
    return max((one["edition"] for one in manifest["editions"]), default=0)


def changes(manifest: Manifest, cases: Iterable[Case]) -> list[str]:
    """Return in words which published cases are changed or gone."""
    now = {case.id: case for case in cases}
    wrong = [
        f"{name} is published, and gone"
        for name, row in manifest["cases"].items()
        if name not in now and WITHDRAWN not in row
    ]
    for name, case in now.items():
        row = manifest["cases"].get(name)
        if row is not None and (WITHDRAWN in row or row["digest"] != digest(case)):
            wrong.append(f"{name} is published, and changed: add a new case instead")
    return wrong


def publish(manifest: Manifest, cases: Iterable[Case], root: Path, date: str) -> Manifest:
    """Return the manifest with a further edition that holds the cases not yet published.

    Raises SkatspecError where a published case is changed or gone.
    """
    chosen = list(cases)
    if wrong := changes(manifest, chosen):
        raise SkatspecError("; ".join(wrong))
    number = edition(manifest) + 1
    added = {
        case.id: {
            "path": case.path.relative_to(root).as_posix(), "edition": number,
            "digest": digest(case),
        }
        for case in chosen
        if case.id not in manifest["cases"]
    }  # fmt: skip
    if not added:
        return manifest
    every = dict(sorted({**manifest["cases"], **added}.items()))
    row = {
        "edition": number, "date": date, "cases": len(added),
        "digest": edition_digest(number, added),
    }  # fmt: skip
    return {"editions": [*manifest["editions"], row], "cases": every}


def text(manifest: Manifest) -> str:
    """Return a manifest as its file has it: a line a case."""
    lines = [f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in manifest["cases"].items()]
    editions = [f"  {json.dumps(row)}" for row in manifest["editions"]]
    return (
        '{\n"editions": [\n' + ",\n".join(editions) + '\n],\n"cases": {\n'
        + ",\n".join(lines) + "\n}\n}\n"
    )  # fmt: skip


def main() -> None:
    """Publish what is new in the repository's suite."""
    root = resources.locate("records")
    found = publish(read(), load_suite().cases, root, sys.argv[1])
    (root / NAME).write_text(text(found), encoding="utf-8")
    print(f"edition {edition(found)}, {len(found['cases'])} cases")


if __name__ == "__main__":
    main()
