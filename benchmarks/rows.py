"""The JSON lines that a benchmark is handed: each an object with the fields it needs, or an error that names the file and the line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from clew.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

NUMBER, TEXT = (int, float), (str,)


def rows(path: Path, fields: Mapping[str, tuple[type, ...]]) -> list[dict[str, Any]]:
    """The objects of a JSON lines file, blank lines left out. Raises InvalidInput for the first that lacks a field, and OSError."""
    return [_row(line, f"{path.name}, line {n}", fields) for n, line in enumerate(path.read_bytes().splitlines(), 1) if line.strip()]


def _row(line: bytes, where: str, fields: Mapping[str, tuple[type, ...]]) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise InvalidInput(where, f"is not JSON ({error})") from None
    if not isinstance(row, dict):
        raise InvalidInput(where, f"is no object but {type(row).__name__}")
    for name, types in fields.items():
        if not isinstance(row.get(name), types):
            raise InvalidInput(where, f"'{name}' is to be {' or '.join(t.__name__ for t in types)}, not {row.get(name)!r:.40}")
    return row
