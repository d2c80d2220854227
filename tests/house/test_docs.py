"""The documentation is complete and its numbers are the measured ones."""

import ast
import importlib.util
import json
import re

import pytest

from house import PACKAGE, ROOT, modules, tree

DOCS = ROOT / "docs"
PAGES = [path for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))] if path.exists()]
SETTING = re.compile(r"CLEW_[A-Z][A-Z_]*[A-Z]")
RESULT = re.compile(r"<!-- result: (\S+) (.+?) -->")
NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?\s?%?")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")

cli = pytest.mark.skipif(not (PACKAGE / "cli" / "app.py").exists(), reason="src/clew/cli/app.py does not exist")


def text(name: str) -> str:
    """One page of docs/."""
    return (DOCS / name).read_text("utf-8")


def generator():
    """scripts/docs.py as a module."""
    spec = importlib.util.spec_from_file_location("docs_generator", ROOT / "scripts" / "docs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def settings() -> set[str]:
    """Every environment variable of ours that the package's code names, docstrings left out."""
    found = set()
    for path in modules().values():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= {node.value} & set(SETTING.findall(node.value))
    return found


def value_at(document: object, dotted: str) -> float:
    """`arms.fused.recall@10` in a result file; a name may itself hold dots. In a list a result goes by its `data`."""
    if dotted == "":
        return document
    if isinstance(document, list):
        document = {result["data"]: result for result in document}
    for name in sorted(document, key=len, reverse=True):
        if dotted == name or dotted.startswith(name + "."):
            return value_at(document[name], dotted[len(name) + 1 :])
    raise KeyError(dotted)


def cited(line: str) -> list[tuple[str, str, str]]:
    """Each marked number of a line with its file and metric: the last number before the mark."""
    found, start = [], 0
    for mark in RESULT.finditer(line):
        numbers = NUMBER.findall(line[start : mark.start()])
        found.append((numbers[-1].strip() if numbers else "", *mark.groups()))
        start = mark.end()
    return found


def agrees(written: str, value: float) -> bool:
    """Whether a number as written is the value, rounded to the places written; `%` is a share of one."""
    digits = written.rstrip("% ").replace(",", "")
    places = len(digits.partition(".")[2])
    scaled = value * 100 if written.endswith("%") else value
    return digits != "" and abs(float(digits) - scaled) <= 0.5 * 10**-places + 1e-9


@cli
def test_the_page_of_commands_is_what_the_commands_say():
    from clew.cli.app import app

    assert text("cli.md") == generator().page(app), "run `make docs` and commit docs/cli.md"


@cli
def test_every_command_and_option_is_documented_with_words():
    from clew.cli.app import app

    known = list(generator().commands(app))
    assert len(known) >= 10
    assert [path for path, command in known if not (command.help or "").strip()] == []
    options = [(path, p) for path, command in known for p in command.params if p.param_type_name == "option" and not p.hidden]
    assert [f"{path} {p.opts[0]}" for path, p in options if not (p.help or "").strip()] == []
    page = text("cli.md")
    assert [f"{path} {p.opts[0]}" for path, p in options if p.opts[0] not in page] == []
    assert [path for path, _ in known if f"## {path}\n" not in page] == []


def test_every_error_is_documented_with_its_exit_code():
    from clew import errors

    tree_of_errors = [v for v in vars(errors).values() if isinstance(v, type) and issubclass(v, errors.ClewError)]
    assert len(tree_of_errors) >= 10
    lines = text("errors.md").splitlines()
    wanted = [(f"`{error.__name__}`", f"| {error.exit_code} |") for error in tree_of_errors]
    assert [pair for pair in wanted if not any(pair[0] in line and pair[1] in line for line in lines)] == []


def test_every_setting_is_documented():
    page = text("settings.md")
    assert [name for name in sorted(settings()) if f"`{name}`" not in page] == []


def test_every_documented_setting_exists():
    assert {"CLEW_HOME", "CLEW_DB"} <= settings()
    assert sorted(set(SETTING.findall(text("settings.md"))) - settings()) == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "CONTRIBUTING.md"], ids=lambda path: path.name)
def test_every_marked_number_is_the_measured_one(page):
    marks = [mark for line in page.read_text("utf-8").splitlines() for mark in cited(line)]
    assert len(marks) == page.read_text("utf-8").count("<!-- result"), "a mark is written <!-- result: FILE METRIC -->"
    wrong = [
        f"{written!r} is not {value} ({file} {metric})"
        for written, file, metric in marks
        if not agrees(written, value := value_at(json.loads((ROOT / file).read_text("utf-8")), metric))
    ]
    assert wrong == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_link_between_pages_leads_somewhere(page):
    targets = [target for target in LINK.findall(page.read_text("utf-8")) if "://" not in target and not target.startswith("mailto:")]
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_every_page_is_reached_from_the_index():
    index = set(LINK.findall(text("README.md")))
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")} - {"README.md"}
    assert pages - index == set()


def test_every_decision_says_why_and_what_follows():
    decisions = sorted((DOCS / "decisions").glob("*.md"))
    assert [path.name[:4] for path in decisions] == [f"{n:04d}" for n in range(1, len(decisions) + 1)]
    assert len(decisions) >= 3
    for path in decisions:
        assert re.findall(r"^## (.*)$", path.read_text("utf-8"), re.M) == ["Context", "Decision", "Consequences"], path.name


@pytest.mark.parametrize(
    ("written", "value", "same"),
    [("0.67", 0.6651, True), ("0.67", 0.664, False), ("66.5 %", 0.665, True), ("1,200", 1200.4, True), ("3", 3.6, False), ("", 3, False)],
)
def test_a_number_agrees_after_rounding_only(written, value, same):
    assert agrees(written, value) is same


def test_a_mark_belongs_to_the_last_number_before_it():
    line = "| 10,000 | 0.67 <!-- result: a.json arms.x.recall@10 --> | 3.1 ms <!-- result: b.json p50.ms -->"
    assert cited(line) == [("0.67", "a.json", "arms.x.recall@10"), ("3.1", "b.json", "p50.ms")]
    assert value_at({"arms": {"x": {"recall@10": 0.67, "p50.ms": 2}}}, "arms.x.p50.ms") == 2
    assert value_at([{"data": "a set", "n": 1}, {"data": "b", "n": 2}], "a set.n") == 1
