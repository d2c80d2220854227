"""Disks that can be filled or closed, and a store to do harm to."""

import os
import shutil

import pytest

from trips import CAN_MOUNT, IS_ROOT, disk, opened


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 3 MB. Needs root, as CI has it; elsewhere there is no way to make one."""
    if not CAN_MOUNT:
        if os.environ.get("CI") == "true":
            pytest.fail("CI runs these where disks can be mounted")
        pytest.skip("no small disk can be mounted here")
    with disk(tmp_path / "disk", "3m") as folder:
        yield folder


@pytest.fixture
def some_disk(tmp_path):
    """A folder that `read_only` can close: a mounted disk for root, a plain folder for anyone else, whom permission bits bind."""
    if IS_ROOT and not CAN_MOUNT:
        if os.environ.get("CI") == "true":
            pytest.fail("CI runs these where disks can be mounted")
        pytest.skip("root may write everywhere, and no disk can be mounted here")
    if not IS_ROOT:
        folder = tmp_path / "disk"
        folder.mkdir()
        yield folder
        return
    with disk(tmp_path / "disk", "16m") as folder:
        yield folder


@pytest.fixture(scope="session")
def template(tmp_path_factory):
    """A closed store of sixty memories, to be copied and harmed."""
    path = tmp_path_factory.mktemp("template") / "memory.db"
    with opened(path) as clew:
        for i in range(60):
            clew.remember(f"decision {i} about the ledger service", kind="decision", detail=f"because of reason {i}", tags=["ledger"])
    return path


@pytest.fixture
def victim(template, tmp_path):
    """A copy of the store of sixty memories."""
    path = tmp_path / "victim" / "memory.db"
    path.parent.mkdir(mode=0o700)
    shutil.copy(template, path)
    return path
