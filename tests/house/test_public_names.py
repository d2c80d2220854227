"""What `from clew import …` offers, exactly, and that everything public says what it is."""

import ast
import subprocess
import sys

import pytest

from house import PACKAGE, SRC, modules, tree

PUBLIC = (
    "Attempt",
    "Clew",
    "ClewError",
    "Concern",
    "Draft",
    "EmbedderDown",
    "EmbedderMismatch",
    "Entity",
    "Event",
    "Fix",
    "Forgotten",
    "Hit",
    "InvalidInput",
    "Link",
    "Memory",
    "Mentions",
    "MissingExtra",
    "NotFound",
    "Pack",
    "Pointer",
    "Project",
    "Remembered",
    "SchemaTooNew",
    "Signals",
    "Source",
    "StoreBusy",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreReadOnly",
    "Strength",
    "Trail",
    "TrailNode",
    "Tried",
    "Verdict",
    "WorkingSet",
    "as_json",
)

door = pytest.mark.skipif(not (PACKAGE / "__init__.py").exists(), reason="src/clew/__init__.py does not exist")


def public_definitions(body: list[ast.stmt], prefix: str) -> list[tuple[str, ast.AST]]:
    """Public classes, functions and methods by dotted name."""
    found: list[tuple[str, ast.AST]] = []
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            found.append((f"{prefix}.{node.name}", node))
            if isinstance(node, ast.ClassDef):
                found += public_definitions(node.body, f"{prefix}.{node.name}")
    return found


@door
def test_exactly_these_names_are_exported():
    import clew

    assert tuple(sorted(clew.__all__)) == tuple(sorted(PUBLIC))
    assert [name for name in clew.__all__ if getattr(clew, name, None) is None] == []


@door
def test_a_star_import_brings_every_name():
    code = "from clew import *; import clew; print(sorted(set(clew.__all__) - set(globals())))"
    path = f"import sys; sys.path.insert(0, {str(SRC)!r}); "
    done = subprocess.run([sys.executable, "-c", path + code], capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_everything_public_has_a_docstring():
    definitions = [pair for name, path in modules().items() for pair in public_definitions(tree(path).body, name)]
    assert len(definitions) >= 20
    assert [name for name, node in definitions if not ast.get_docstring(node)] == []
