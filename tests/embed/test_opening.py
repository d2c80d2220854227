"""Which embedder a setting opens, and what is said when the table cannot be used."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import clew.embed
from clew.embed import SHIPPED_FINGERPRINT, HashingEmbedder, StaticTable, open_embedder
from clew.embed.mapped import DamagedTable
from clew.errors import InvalidInput

SHIPPED = Path(clew.embed.__file__).parent / "table"
FILES = ("meta.json", "vocab.bin", "vocab.off", "vectors.i4", "scale.f32")
ENTRIES = 6000
HEAVY = ("numpy", "typing", "dataclasses", "pathlib", "logging", "argparse", "asyncio", "rich", "click", "socket")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A sound table of the first entries: everything about it is right except that it was not shipped."""
    meta = json.loads((SHIPPED / "meta.json").read_text())
    (tmp_path / "meta.json").write_text(json.dumps({**meta, "count": ENTRIES}))
    offsets = (SHIPPED / "vocab.off").read_bytes()[: 4 * ENTRIES + 4]
    sizes = {"vocab.bin": int.from_bytes(offsets[-4:], "little"), "vectors.i4": 128 * ENTRIES, "scale.f32": 4 * ENTRIES}
    (tmp_path / "vocab.off").write_bytes(offsets)
    for name, size in sizes.items():
        with (SHIPPED / name).open("rb") as file:
            (tmp_path / name).write_bytes(file.read(size))
    return tmp_path


def trouble_of(folder: Path) -> str:
    opened = open_embedder("static", str(folder))
    assert opened.embedder is None
    assert "CLEW_EMBED=off" in opened.trouble
    assert "reinstall clew" in opened.trouble
    assert "\n" not in opened.trouble
    return opened.trouble


def overwrite(path: Path, at: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at, 2 if at < 0 else 0)
        file.write(content)


def test_the_built_in_table_is_the_default() -> None:
    opened = open_embedder()
    assert isinstance(opened.embedder, StaticTable)
    assert (opened.embedder.name, opened.embedder.dim, opened.embedder.fingerprint) == ("static-ml-q4", 256, SHIPPED_FINGERPRINT)
    assert opened.trouble == ""


def test_a_copy_of_the_table_elsewhere_is_the_same_embedder(tmp_path: Path) -> None:
    copied = open_embedder("static", str(shutil.copytree(SHIPPED, tmp_path / "copy")))
    assert copied.trouble == ""
    assert copied.embedder is not None
    assert copied.embedder.embed("use PostgreSQL") == StaticTable(str(SHIPPED)).embed("use PostgreSQL")


def test_a_sound_table_that_was_not_shipped_is_refused(table: Path) -> None:
    assert "is not the table that was shipped" in trouble_of(table)


def test_off_is_no_embedder_and_no_trouble() -> None:
    assert open_embedder("off") == (None, "")


def test_the_test_double_comes_only_when_asked_for() -> None:
    assert isinstance(open_embedder("hashing").embedder, HashingEmbedder)
    assert isinstance(open_embedder("hash").embedder, HashingEmbedder)


@pytest.mark.parametrize("setting", ["", "Static", "none", "minilm", "x" * 5000])
def test_an_unknown_setting_is_refused_with_the_ones_there_are(setting: str) -> None:
    known = "static, off, quality, ollama, openai-compatible, hashing, hash"
    with pytest.raises(InvalidInput, match=rf"^CLEW_EMBED: .* is not one of {known}$") as refused:
        open_embedder(setting)
    assert len(str(refused.value)) < 150


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(table: Path, name: str) -> None:
    (table / name).unlink()
    assert f"{name} cannot be read (No such file" in trouble_of(table)


def test_a_missing_folder_is_trouble_and_no_crash(tmp_path: Path) -> None:
    assert "meta.json cannot be read" in trouble_of(tmp_path / "nowhere")


@pytest.mark.parametrize("name", FILES[1:])
@pytest.mark.parametrize("change", [lambda content: content[:-1], lambda content: content + b"x", lambda content: b""])
def test_a_file_of_the_wrong_size_is_named_with_both_sizes(table: Path, name: str, change: Callable[[bytes], bytes]) -> None:
    content = change((table / name).read_bytes())
    (table / name).write_bytes(content)
    assert f"{name} has {len(content):,} bytes where " in trouble_of(table)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"not json"])
def test_an_unreadable_meta_file_is_named(table: Path, content: bytes) -> None:
    (table / "meta.json").write_bytes(content)
    assert "meta.json is not JSON" in trouble_of(table)


@pytest.mark.parametrize(
    ("key", "value"), [("dim", 0), ("dim", 255), ("dim", "256"), ("count", -1), ("count", True), ("bits", 8), ("bits", None)]
)
def test_a_meta_file_with_an_unusable_number_names_it(table: Path, key: str, value: object) -> None:
    meta = json.loads((table / "meta.json").read_text())
    (table / "meta.json").write_text(json.dumps({**meta, key: value}))
    assert f"meta.json has no usable '{key}'" in trouble_of(table)


def test_a_meta_file_that_is_no_object_is_trouble(table: Path) -> None:
    (table / "meta.json").write_text("[1, 2]")
    assert "meta.json has no usable 'dim'" in trouble_of(table)


@pytest.mark.parametrize(("at", "content"), [(0, b"\x01"), (4, bytes(4)), (-4, bytes(4))])
def test_offsets_that_do_not_rise_are_named(table: Path, at: int, content: bytes) -> None:
    overwrite(table / "vocab.off", at, content)
    assert "vocab.off does not rise from 0" in trouble_of(table)


@pytest.mark.parametrize("name", ["vocab.bin", "vectors.i4", "scale.f32"])
@pytest.mark.parametrize("at", [0, 4095, -1, -4096])
def test_a_changed_byte_at_either_end_of_a_file_changes_the_fingerprint(table: Path, name: str, at: int) -> None:
    before = StaticTable(str(table)).fingerprint
    overwrite(table / name, at, bytes([(table / name).read_bytes()[at] ^ 0xFF]))
    assert StaticTable(str(table)).fingerprint != before


def test_a_damaged_table_opened_directly_says_so(table: Path) -> None:
    (table / "scale.f32").unlink()
    with pytest.raises(DamagedTable, match=r"scale\.f32 cannot be read"):
        StaticTable(str(table))


def test_a_scrambled_vocabulary_still_answers(table: Path) -> None:
    overwrite(table / "vocab.bin", 50, bytes(range(255, -1, -1)) * 100)
    scrambled = StaticTable(str(table))
    for text in ("which database did we pick", "数据库用 PostgreSQL", "für naïve", "array 50 act"):
        assert len(scrambled.embed(text)) in (0, 256)


def test_one_question_loads_nothing_heavy() -> None:
    code = f"""
import sys
from clew.embed import open_embedder
assert open_embedder().embedder.embed("für which database did we pick")
print(*sorted(set(sys.modules) & set({HEAVY!r})))
"""
    environment = {**os.environ, "PYTHONPATH": str(SHIPPED.parents[2])}
    ran = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert (ran.stdout, ran.stderr) == ("\n", "")
