"""The skills that lie in this package, and a skill as a file of a client: marked as ours for as long as nobody changed it."""

from __future__ import annotations

import os
import re
from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SKILL_FILE = "SKILL.md"  # the name that every program looks for, in a folder of the skill's name
_MARK = re.compile(r"\n<!-- clew ([0-9a-f]{16}): [^\n]*-->\n\Z")


def skills() -> dict[str, str]:
    """The text of each skill that lies in this package, by its name."""
    folder = os.path.join(os.path.dirname(__file__), "skills")
    found = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            found[name.removesuffix(".md")] = file.read()
    return found


def with_skill(text: str, skill: str) -> str:
    """A client's file with the skill in it; what a person wrote or changed there stays as it is."""
    ours = f"{skill}\n<!-- clew {_digest(skill)}: written by clew setup, and taken out by clew uninstall unless it was changed -->\n"
    return ours if not text.strip() or skill_in(text, "") else text


def without_skill(text: str) -> str:
    """The file without our skill: nothing; one that was changed is not ours any more."""
    return "" if skill_in(text, "") else text


def skill_in(text: str, name: str) -> dict[str, Any]:
    """{"skills.NAME": its digest} where the file is a skill of ours, of whichever version, that nobody changed; else nothing."""
    mark = _MARK.search(text)
    return {f"skills.{name}": mark[1]} if mark and _digest(text[: mark.start()]) == mark[1] else {}


def _digest(skill: str) -> str:
    return blake2b(skill.encode(), digest_size=8).hexdigest()
