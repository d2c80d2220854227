"""Imports run downward only. A room may look into its own folder and at the floors beneath, never at a neighbour.

Two rules are narrower than "downward":
- The ground floor is a row of single files; each may use those before it in the row (`ids` needs `text`, everything needs `errors`).
- A surface holds a Clew: it sees the service and the words they share (model, errors, limits), nothing beneath. So a surface cannot grow a
  second way into the store, and whatever the floors below turn into, surfaces stay as they are.
A surface may also ask the package's own door for its version.
Two neighbours are allowed by name: the command line starts the importers and the clients' set-up, which have no door of their own.
"""

import ast
import sys

import pytest

from house import DOORS, FLOOR_OF, FLOORS, PACKAGE, imports, modules, room_of, tree

SEEN_BY_SURFACES = {"service", "model", "errors", "limits"}
STARTS = {"cli": {"importers", "clients"}}
THIRD_PARTY = {
    "apsw": {"store"},
    "click": {"cli"},
    "rich": {"cli"},
    "numpy": {"store", "embed", "rules", "engines"},
}
IMPURE = {
    "os",
    "io",
    "time",
    "random",
    "secrets",
    "uuid",
    "socket",
    "logging",
    "pathlib",
    "shutil",
    "subprocess",
    "tempfile",
    "threading",
    "glob",
}
WALL_CLOCK = {"time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "datetime.today", "date.today"}


def may_see(room: str, other: str) -> bool:
    """Whether a module of one room may import from another room of the house."""
    if room == other or other == "":  # a surface asks the package for its version
        return room == other or FLOOR_OF.get(room) == 5
    if room in DOORS:
        return other in SEEN_BY_SURFACES or (room == "__main__" and FLOOR_OF.get(other) == 5)
    if FLOOR_OF[room] == 5:
        return other in SEEN_BY_SURFACES | STARTS.get(room, set())
    if FLOOR_OF[room] == 1:
        return other in FLOORS[1][: FLOORS[1].index(room)]
    return FLOOR_OF[other] < FLOOR_OF[room]


def test_every_module_lives_on_a_floor():
    rooms = {room_of(name) for name in modules()}
    assert rooms - set(FLOOR_OF) - set(DOORS) == set()
    assert {"model", "errors", "limits"} <= rooms


def test_imports_run_downward_only():
    wrong = [
        f"{module} imports {other}"
        for module in modules()
        for other in sorted(imports(module))
        if other.split(".")[0] == "clew" and not may_see(room_of(module), room_of(other))
    ]
    assert wrong == []


def test_every_other_import_is_the_standard_library_or_has_its_room():
    wrong = [
        f"{module} imports {other}"
        for module in modules()
        for other in sorted({name.split(".")[0] for name in imports(module)} - {"clew", "__future__"})
        if other not in sys.stdlib_module_names and room_of(module) not in THIRD_PARTY.get(other, ())
    ]
    assert wrong == []


def test_rules_reach_nothing_outside_their_arguments():
    wrong = [
        f"{module} imports {other}"
        for module in modules()
        if room_of(module) in ("rules", "compiler")
        for other in sorted({name.split(".")[0] for name in imports(module)} & IMPURE)
    ]
    assert wrong == []


def test_only_the_service_reads_the_clock():
    wrong = [
        f"{module} line {node.lineno}: {ast.unparse(node)}"
        for module, path in modules().items()
        if room_of(module) != "service"
        for node in ast.walk(tree(path))
        if (isinstance(node, ast.Attribute) and ".".join(ast.unparse(node).split(".")[-2:]) in WALL_CLOCK)
        or (isinstance(node, ast.ImportFrom) and node.module == "time" and {"time", "time_ns"} & {alias.name for alias in node.names})
    ]
    assert wrong == []


def test_only_engines_open_a_transaction():
    opened = [
        module
        for module, path in modules().items()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".transaction")
    ]
    assert {room_of(module) for module in opened} == {"engines"}


def test_no_broad_except_swallows_anything_outside_the_hooks():
    broad = {"Exception", "BaseException"}
    wrong = [
        f"{module} line {node.lineno}"
        for module, path in modules().items()
        if room_of(module) != "hooks"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or broad & {part.id for part in ast.walk(node.type) if isinstance(part, ast.Name)})
        and not any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("room", "other", "allowed"),
    [
        ("rules", "model", True),
        ("rules", "store", False),
        ("store", "engines", False),
        ("engines", "store", True),
        ("engines", "service", False),
        ("ids", "text", True),
        ("text", "ids", False),
        ("cli", "service", True),
        ("cli", "store", False),
        ("cli", "importers", True),
        ("cli", "clients", True),
        ("clients", "cli", False),
        ("hooks", "importers", False),
        ("mcp", "cli", False),
        ("model", "", False),
        ("", "service", True),
        ("", "store", False),
        ("__main__", "cli", True),
    ],
)
def test_the_rule_itself_says_yes_and_no(room, other, allowed):
    assert may_see(room, other) is allowed


def test_the_house_is_where_this_test_looks():
    assert PACKAGE.is_dir()
    assert len(modules()) >= 3
