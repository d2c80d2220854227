"""One line of what is known: what a file defines, how a command ended, what a search found."""

import pytest

from clew.rules import gists

CODE = {
    "python": ("class Cart:\n    def total(self):\n        pass\n\ndef load():\n    pass\n", ("Cart", "load")),
    "go": (
        "package a\n\nfunc Load(x int) error {\n}\n\nfunc (c *Cart) Total() int {\n}\n\ntype Cart struct {\n",
        ("Load", "Total", "Cart"),
    ),
    "rust": ("pub struct Cart {\n}\n\npub(crate) async fn load() {\n}\nimpl Cart {\n", ("Cart", "load")),
    "typescript": (
        "export default class Cart {}\nexport async function load() {}\nconst total = 3\ninterface Line {}\n",
        ("Cart", "load", "total", "Line"),
    ),
    "numbered": ("     1\tclass Cart:\n     2\t    pass\n     3→def load():\n", ("Cart", "load")),
    "prose": ("We class ourselves among the best.\n", ()),
}


@pytest.mark.parametrize("language", CODE)
def test_the_names_a_file_defines_are_found(language):
    text, names = CODE[language]
    assert gists.symbols(text) == names


def test_a_file_is_known_by_what_it_defines_else_its_headings_else_its_first_words():
    assert gists.of_file(CODE["python"][0], ("Cart", "load")) == "defines Cart, load"
    assert gists.of_file("# Ledger\n\ntext\n\n## Bookings\n", ()) == "Ledger; Bookings"
    assert gists.of_file("\n---\nname: x\n", ()) == "name: x"
    assert gists.of_file("", ()) == ""


def test_a_command_is_known_by_its_last_words_and_a_search_by_its_first_finds():
    assert gists.of_command("collecting\n\n=== 3 passed in 1s ===\n\n") == "3 passed in 1s"
    assert gists.of_command("Total: 7\n----------\n") == "Total: 7"
    assert gists.of_command("--verbose is no option") == "--verbose is no option"
    assert gists.of_command("a = b === c") == "a = b === c"
    assert gists.of_command("") == "no output"
    assert gists.of_search("a.py:1:x\n") == "1 line: a.py:1:x"
    assert gists.of_search("a.py\nb.py\nc.py\nd.py\n") == "4 lines: a.py; b.py; c.py"
    assert gists.of_search(" \n") == "nothing found"


@pytest.mark.parametrize("text", ["x" * 5_000_000, "\n" * 1_000_000, "\x00\x1b[2J", "def " * 100_000])
def test_any_text_has_a_short_gist(text):
    for gist in (gists.of_file(text, gists.symbols(text)), gists.of_command(text), gists.of_search(text)):
        assert len(gist) <= gists.GIST_CHARS
        assert "\n" not in gist


def test_of_a_long_text_both_ends_are_kept_and_the_gap_is_said():
    text = "".join(f"line {n}\n" for n in range(1_000))
    kept = gists.ends(text)
    assert kept.startswith("line 0\n")
    assert kept.endswith("line 999\n")
    assert "characters left out" in kept
    assert len(kept) < 2 * gists.ENDS + 100
    assert gists.ends("short") == "short"
