"""The form in which every benchmark leaves its results: which code, which machine, one JSON object a measurement."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def commit() -> str:
    """The commit that was measured, short, with a plus when the working tree differs; "unknown" outside a repository."""
    try:
        head = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
        changed = subprocess.run(["git", "status", "--porcelain", "src"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{head}+" if changed else head


def machine() -> dict[str, str | int]:
    """What the figures depend on."""
    return {"python": platform.python_version(), "system": platform.system(), "machine": platform.machine(), "cores": os.cpu_count() or 1}


def write(path: Path, results: list[dict[str, Any]]) -> None:
    """One object when there is one result, a list when there are several; stable order, one final newline."""
    content: Any = results[0] if len(results) == 1 else results
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", "utf-8")
