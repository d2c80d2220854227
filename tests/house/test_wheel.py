"""What `.ci/run` relies on: the targets of the Makefile, and a wheel that holds everything the package reads at run time."""

import email
import os
import re
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest

from house import PACKAGE, ROOT, SRC

TARGETS = {"help", "demo", "test", "lint", "bench", "docs", "inspector", "clean", "clients"}
SKIPPED = {"__pycache__"}


def test_the_makefile_has_its_targets():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert set(re.findall(r"^([a-z]+):.*## ", makefile, re.M)) == TARGETS
    assert set(re.search(r"^\.PHONY:(.*)$", makefile, re.M).group(1).split()) == TARGETS


def test_ci_runs_the_tests_and_then_the_linters():
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    lines = script.read_text("utf-8").splitlines()
    assert lines[0] == "#!/usr/bin/env bash"
    assert [line for line in lines if line.startswith("make ")] == ["make test", "make lint"]
    assert "set -euo pipefail" in lines


@pytest.fixture(scope="module")
def wheel():
    """The wheel that the surfaces of this run were installed from."""
    folder = os.environ.get("CLEW_WHEEL_BIN")
    if not folder:
        assert os.environ.get("CI") != "true", "CLEW_WHEEL_BIN is not set: run `make test`"
        pytest.skip("no wheel built: run `make test`")
    (path,) = (Path(folder).parents[1] / "dist").glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        yield archive


def test_the_wheel_holds_every_file_of_the_package_and_no_other(wheel):
    held = {name for name in wheel.namelist() if name.startswith("clew/")}
    files = {path for path in PACKAGE.rglob("*") if path.is_file() and not SKIPPED & set(path.parts) and path.suffix != ".pyc"}
    assert held == {path.relative_to(SRC).as_posix() for path in files}
    assert "clew/py.typed" in held


@pytest.mark.parametrize(
    ("folder", "suffix"),
    [("store/schema/sqlite", ".sql"), ("embed/table", ".i4"), ("embed/table", ".bin"), ("embed/table", ".off"), ("embed/table", ".f32")],
)
def test_the_wheel_holds_what_is_read_at_run_time(wheel, folder, suffix):
    if not (PACKAGE / folder).is_dir():
        pytest.skip(f"src/clew/{folder} does not exist")
    assert [name for name in wheel.namelist() if name.startswith(f"clew/{folder}/") and name.endswith(suffix)]


def test_the_wheel_carries_licence_and_notice(wheel):
    licences = {name.rpartition("/")[2] for name in wheel.namelist() if ".dist-info/licenses/" in name}
    assert licences == {"LICENSE", "NOTICE"}


def test_the_wheel_asks_for_little_and_offers_the_command(wheel):
    (metadata,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    message = email.message_from_bytes(wheel.read(metadata))
    needed = {re.split(r"[<>=~! ;]", line)[0] for line in message.get_all("Requires-Dist") if "extra ==" not in line}
    assert needed == {"apsw", "click", "numpy", "rich"}
    entry_points = metadata.replace("METADATA", "entry_points.txt")
    assert "clew = clew.__main__:main" in wheel.read(entry_points).decode()


def test_the_installed_command_is_the_wheel_and_not_the_source(wheel, tmp_path):
    folder = Path(os.environ["CLEW_WHEEL_BIN"])
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ask = [str(folder / "python"), "-c", "import clew.model; print(clew.model.__file__)"]
    done = subprocess.run(ask, capture_output=True, text=True, env=clean, cwd=tmp_path, timeout=60)
    assert Path(done.stdout.strip()).is_relative_to(folder.parent), done.stderr
    if not (PACKAGE / "__main__.py").exists():
        pytest.skip("src/clew/__main__.py does not exist")
    done = subprocess.run([str(folder / "clew"), "--version"], capture_output=True, text=True, env=clean, cwd=tmp_path, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"] in done.stdout
