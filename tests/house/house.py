"""The house as its tests see it: where the source lies, its modules, and what each imports. Read from the text, nothing is run."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src"
PACKAGE = SRC / "clew"

FLOORS = {
    1: ("errors", "limits", "lanes", "tuples", "model", "patterns", "stem", "stopwords", "text", "ids"),
    2: ("rules", "compiler", "store", "embed", "config", "project"),
    3: ("engines",),
    4: ("service",),
    5: ("cli", "mcp", "hooks", "clients", "importers"),
}
DOORS = ("", "__main__")  # `import clew` and `python -m clew`: outside the house, they open onto its floors
FLOOR_OF = {room: floor for floor, rooms in FLOORS.items() for room in rooms}


def name_of(path: Path) -> str:
    """`src/clew/rules/fusion.py` → `clew.rules.fusion`; a package goes by its folder."""
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    """`clew.rules.fusion` → `rules`; `clew` itself → the empty name."""
    return [*module.split("."), ""][1]


@cache
def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    return {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def tree(path: Path) -> ast.Module:
    """The parsed text of one file."""
    return ast.parse(path.read_text("utf-8"), str(path))


def imports(module: str) -> set[str]:
    """What the module imports anywhere in its text, types included; of `from clew import x` the module `clew.x` where there is one."""
    path = modules()[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            found |= {name if (name := f"{base}.{alias.name}") in modules() else base for alias in node.names}
    return found


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a file, methods and inner ones included."""
    return [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def python_files(*folders: str) -> list[Path]:
    """Every Python file under the folders of the project that exist."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py") if "__pycache__" not in path.parts)
