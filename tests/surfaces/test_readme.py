"""What the README shows on a console is what the commands print, one after the other, on a machine of their own."""

import re
import shlex
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"
BLOCKS = re.findall(r"^```console\n(.*?)^```$", README.read_text("utf-8"), re.M | re.S)
PYTHON = re.findall(r"^```python\n(.*?)^```$", README.read_text("utf-8"), re.M | re.S)
SAID = re.compile(r"^\$ clew (.*)\n((?:(?!\$ ).*\n)*)", re.M)


def test_the_readme_shows_commands_at_work():
    assert len([said for block in BLOCKS for said in SAID.findall(block)]) >= 8


def test_each_command_prints_what_the_readme_says(clew, tmp_path):
    shop = tmp_path / "shop"
    shop.mkdir()
    for words, shown in (said for block in BLOCKS for said in SAID.findall(block)):
        printed = clew.ok(*shlex.split(words), cwd=shop).out
        written = shown.strip("\n")
        if written.endswith("…"):  # the rest is left out
            written = written.removesuffix("…")
            printed = printed[: len(written)]
        assert printed.strip("\n") == written.strip("\n"), words


def test_the_python_of_the_readme_runs_and_finds_what_it_kept(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (program,) = PYTHON
    exec(compile(program, "README.md", "exec"), {})
    assert "Retry a payment once, never twice" in capsys.readouterr().out
