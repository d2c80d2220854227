"""`clew why` and `clew path` as a person runs them: lines when piped, a tree on a terminal, JSON, Mermaid, and nothing known."""

import json

import pytest


@pytest.fixture
def chained(clew):
    """Three memories: the second replaced the first, the third caused the second."""
    clew("remember", "Retry uploads once", "-k", "decision")
    clew("remember", 'Retry uploads with backoff, "always"', "-k", "decision", "--supersedes", 1, "--reason", "lost photos")
    clew("remember", "Customers in Perth lost photographs")
    lines = [json.loads(line) for line in clew("export", "jsonl").out.splitlines()]
    digests = {line["summary"][:9]: line["digest"] for line in lines if line["type"] == "memory"}
    cause = {"type": "link", "src": digests["Retry upl"], "relation": "because", "dst": digests["Customers"]}
    (clew.cwd / "links.jsonl").write_text(json.dumps(cause) + "\n")
    clew("import", "jsonl", "links.jsonl")
    return clew


def test_a_trail_is_indented_lines_when_piped(chained):
    found = chained("why", "2")
    assert found.code == 0, found.err
    lines = found.out.splitlines()
    assert lines[0].startswith('#2 Retry uploads with backoff, "always" (decision, cli')
    assert any(line.startswith("  supersedes → #1 Retry uploads once (decision, superseded by #2") for line in lines)
    assert any("because" in line and "Perth" in line for line in lines)


def test_a_trail_is_a_tree_on_a_terminal(chained):
    screen = chained.on_a_terminal("why", "2").out
    assert "#2 Retry uploads" in screen
    assert "└── " in screen


def test_a_question_finds_its_trail_and_an_unrelated_one_finds_nothing(chained):
    assert "Perth" in chained("why", "how", "are", "uploads", "retried", "with", "backoff").out
    nothing = chained("why", "what is the airspeed of a swallow")
    assert (nothing.code, nothing.out) == (0, "nothing known about that\n")
    assert chained("why", "what is the airspeed of a swallow", "--json").json["trail"]["nodes"] == []


def test_a_diagram_has_every_node_and_link_and_no_loose_quote(chained):
    lines = chained("why", "2", "--mermaid").out.splitlines()
    assert lines[0] == "graph LR"
    assert '  m2 -->|"supersedes"| m1' in lines
    assert any(line.startswith('  m2["#35;2 Retry uploads with backoff, #34;always#34;') for line in lines)
    assert any("m1[" in line and "(superseded)" in line for line in lines)


@pytest.mark.parametrize(
    ("summary", "label"),
    [
        ('%%{init: {"theme": "dark"}}%% first', "#35;1 #37;#37;{init: {#34;theme#34;: #34;dark#34;}}#37;#37; first"),
        ("style m1 fill:#f00", "#35;1 style m1 fill#58;#35;f00"),
        ("fill:#f00 is red", "#35;1 fill:#35;f00 is red"),
        ("end `x` <b> a; \\n #35;", "#35;1 end #96;x#96; #60;b#62; a#59; #92;n #35;35#59;"),
    ],
)
def test_no_summary_says_anything_to_the_diagram(clew, summary, label):
    clew.ok("remember", summary)
    assert clew.ok("why", 1, "--mermaid").out == f'graph LR\n  m1["{label}"]\n'


def test_a_path_is_shown_from_end_to_end(chained):
    assert [line.strip().split("#")[1][0] for line in chained("path", 3, 2).out.splitlines()] == ["3", "2"]
    chained("remember", "Something else")
    assert chained("path", 3, 4).out == "these two are not connected\n"


def test_an_unknown_number_and_hops_out_of_bounds_are_errors_by_name(chained):
    assert chained("why", "99").code == 3
    assert chained("path", "1", "99").code == 3
    refused = chained("why", "1", "--max-hops", "11")
    assert refused.code == 2
    assert "max_hops" in refused.err


def test_what_a_limit_left_out_is_shown_by_the_number_it_names(chained):
    cut = chained("why", "2", "-n", "1")
    assert "2 more were left out; -n 3 shows them" in cut.err
    whole = chained("why", "2", "-n", "3")
    assert (len(whole.out.splitlines()), whole.err) == (3, "")
