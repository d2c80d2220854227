"""What a reader can hold in the head: the size of a file, a function, an argument list; names that say something; one opening line each."""

import ast
import re

import pytest

from house import PACKAGE, ROOT, functions, modules, python_files, tree

FILE_LINES = 400
FUNCTION_LINES = 60
POSITIONAL = 6
OPENING = 20  # characters a module's first line has at least
ONE_LEVEL = 2  # clew/room/module.py
BANNED = set("utils util common helper helpers core manager handler record entry item note provider repository misc".split())

OURS = python_files("src", "scripts", "benchmarks")
ALL = OURS + python_files("tests")


def label(path) -> str:
    """How a file is called in a message."""
    return path.relative_to(ROOT).as_posix()


def words_of(name: str) -> set[str]:
    """`RecordHandler` and `record_handler` → {record, handler}."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def positional(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Arguments that may be given by place, self and cls left out."""
    names = [argument.arg for argument in function.args.posonlyargs + function.args.args]
    return len(names) - (names[:1] in (["self"], ["cls"], ["mcs"]))


def test_no_file_is_longer_than_a_reader_likes():
    assert {label(path): n for path in ALL if (n := len(path.read_text("utf-8").splitlines())) > FILE_LINES} == {}


def test_no_function_is_longer_than_a_screen():
    long = {
        f"{label(path)}:{f.name}": n for path in OURS for f in functions(path) if (n := (f.end_lineno or 0) - f.lineno + 1) > FUNCTION_LINES
    }
    assert long == {}


def test_no_function_takes_more_than_six_by_place():
    assert {f"{label(path)}:{f.name}": n for path in OURS for f in functions(path) if (n := positional(f)) > POSITIONAL} == {}


def test_no_name_says_nothing():
    files = [label(path) for path in ALL if words_of(path.stem) & BANNED]
    classes = [
        f"{label(path)}:{node.name}"
        for path in OURS
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef) and words_of(node.name) & BANNED
    ]
    assert files + classes == []


def test_every_module_opens_with_what_it_is_for():
    opening = {label(path): (ast.get_docstring(tree(path)) or "").partition("\n")[0] for path in ALL}
    assert [name for name, line in opening.items() if len(line) < OPENING] == []


def test_folders_are_one_level_deep():
    assert [name for name, path in modules().items() if len(path.relative_to(PACKAGE).parts) > ONE_LEVEL] == []


def test_there_is_something_to_measure():
    assert len(OURS) >= 5


@pytest.mark.parametrize(("name", "banned"), [("MemoryManager", True), ("http_helpers", True), ("Recorder", False), ("NamedTuple", False)])
def test_a_banned_word_is_found_as_a_word(name, banned):
    assert bool(words_of(name) & BANNED) is banned


def test_no_two_test_files_have_one_name():
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted({name for name in names if names.count(name) > 1}) == []
