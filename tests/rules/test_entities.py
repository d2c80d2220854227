"""What a text names, and what only looks as if it did: a table of hits and near misses for every kind."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.model import Memory, Pointer, Source, Strength
from clew.rules.entities import MOST, READ, entities, of_memory
from clew.rules.names import key_of, title_of
from clew.rules.shapes import symbol, ticket

NAMED = [
    # files
    ("see src/clew/store/sqlite.py:40 for it", {("file", "src/clew/store/sqlite.py"), ("file", "sqlite.py")}),
    ("edit ./docs/cli.md, then README.md.", {("file", "docs/cli.md"), ("file", "cli.md"), ("file", "readme.md")}),
    (r"in C:\work\app.ts there is", {("file", "c:/work/app.ts"), ("file", "app.ts")}),
    ("the Makefile builds it", {("file", "makefile")}),
    ("a/lib/index.js and b/lib/index.js", {("file", "a/lib/index.js"), ("file", "b/lib/index.js")}),
    ("and/or input/output, e.g. i.e. at example.com", set()),
    ("it is 3.5 kB/s, on 24/7, w/o a client/server", set()),
    ("mail jane@corp.rs or j.doe+x@host.md about icon@2x.svg", {("file", "icon@2x.svg")}),
    ("an iPhone Git client for $HOME Git folders, 42P Git", set()),
    # symbols
    ("UserProfileService calls loadUser and retry_budget", {("symbol", n) for n in ("userprofileservice", "loaduser", "retry_budget")}),
    ("os.path.join() and foo(1)", {("symbol", "os.path.join"), ("symbol", "foo")}),
    ("std::vector or MAX_RETRIES, `retry` too", {("symbol", "std::vector"), ("symbol", "max_retries"), ("symbol", "retry")}),
    ("old McDonald has an iPhone and two DVDs (well, three)", set()),
    ("a well-known state-of-the-art user's day", set()),
    # tickets
    ("fixes #12 and (#13), see owner/repo#14", {("ticket", "#12"), ("ticket", "#13"), ("ticket", "owner/repo#14")}),
    ("PROJ-0123 and GH-44, per RFC 7231", {("ticket", "proj-123"), ("ticket", "#44"), ("ticket", "rfc-7231")}),
    ("CVE-2024-12345 is issue 7", {("ticket", "cve-2024-12345"), ("ticket", "#7")}),
    ("the #1 reason is our #2 rule", set()),
    ("a color of #333 or #ff0000, even #123456", set()),
    ("UTF-8, SHA-256, ISO-8601, HTTP-2, COVID-19, GPT-4", set()),
    ("C# and F# at abc#12 for memory #12", set()),
    # pull requests
    ("PR 12, MR !13 and pull request 14", {("pr", "pr 12"), ("pr", "pr 13"), ("pr", "pr 14")}),
    ("Bill by invoice (!16), see merge request team/app!17, [!18]", {("pr", "pr 16"), ("pr", "pr 17"), ("pr", "pr 18")}),
    ("12! times, wow!12 and 3!=4, !important", set()),
    ("PR #15 landed", {("pr", "pr 15"), ("ticket", "#15")}),
    ("good PR 2 days long! 12 of them; pr 3", {("pr", "pr 2")}),
    # commits
    ("since commit 1a2b3c4d5e and `9f8e7d6`", {("commit", "1a2b3c4"), ("commit", "9f8e7d6")}),
    ("Reverts deadbeef01", {("commit", "deadbee")}),
    ("commit 1234567 of defaced facade, or 1a2b3c4 alone", set()),
    # versions
    ("v1.2.3 follows 1.2.2, then v2.0-rc1", {("version", "1.2.3"), ("version", "1.2.2"), ("version", "2.0-rc1")}),
    ("on Python 3.11", {("version", "python 3.11")}),
    ("section 3.2.1 of 12.11.2024 says 3.14 at 10.0.0.1", set()),
    # error codes
    ("E0308, ORA-00942, TS2345", {("error", "e0308"), ("error", "ora-00942"), ("error", "ts2345")}),
    ("HTTP 503, SQLSTATE 42P01, ENOENT", {("error", "http 503"), ("error", "sqlstate 42p01"), ("error", "enoent")}),
    ("ERR_CONNECTION_REFUSED, SIGSEGV", {("error", "err_connection_refused"), ("error", "sigsegv")}),
    ("HTTP 2 and HTTP 200, E2E tests, EUROPE, ENDED", set()),
    # addresses
    ("see https://Example.com/Path/?utm_source=x&id=7#frag.", {("url", "example.com/path?id=7")}),
    ("https://github.com/a/b/issues/12", {("url", "github.com/a/b/issues/12"), ("ticket", "a/b#12")}),
    ("https://github.com/a/b/pull/9", {("url", "github.com/a/b/pull/9"), ("ticket", "a/b#9"), ("pr", "pr 9")}),
    ("http:// and https://nowhere", set()),
    # packages
    ("pip install -U requests[socks]==2.0", {("package", "requests")}),
    ("npm i @types/node@18", {("package", "@types/node")}),
    ("import numpy as np\nfrom os.path import join", {("package", "numpy"), ("package", "os")}),
    ("import of goods from abroad; we install the app", set()),
    ("pip install requests flask", {("package", "requests"), ("package", "flask")}),
    ("`npm i -D vue@3 @types/node socket.io` was run", {("package", "vue"), ("package", "@types/node"), ("package", "socket.io")}),
    ("Run pip install -r dev.txt 'attrs!=3,<4' httpx[http2].", {("file", "dev.txt"), ("package", "attrs"), ("package", "httpx")}),
    ("RUN apt-get install -y --no-install-recommends \\\n  git \\\n  curl && rm -r x", {("package", "git"), ("package", "curl")}),
    ("set up with npm install express today", {("package", "express")}),
    ("we pip install flask-login requests-oauth first", {("package", "flask-login"), ("package", "requests-oauth")}),
    ("pip install requests and run it, or brew install jq, then make", {("package", "requests"), ("package", "jq")}),
    ("cargo add serde --features derive\nthen build", {("package", "serde")}),
    # products that look like a file
    ("it runs on node.js behind Vue.js, Socket.io and ASP.NET", {("name", f"{n}") for n in ("node.js", "vue.js", "socket.io", "asp.net")}),
    ("on Node.js 20, without chart.js", {("name", "node.js"), ("version", "node.js 20"), ("file", "chart.js")}),
    ("see src/node.js, `vue.js` and next.js:12", {("file", f) for f in ("src/node.js", "node.js", "vue.js", "next.js")}),
    # people
    ("ask @jdoe, it was written by Jane Doe.", {("person", "@jdoe"), ("person", "jane doe"), ("name", "jane doe")}),
    ("jane@example.com, @property, @pytest.fixture by Monday Morning", set()),
    # days
    ("on 2024-11-30, from 2024-12-01T10:00", {("date", "2024-11-30"), ("date", "2024-12-01")}),
    ("2024-13-01 and 1066-10-14", set()),
    # names
    ("they met in New York with the United Nations", {("name", "new york"), ("name", "united nations")}),
    ("Yesterday Jane Smith left the University of Oxford", {("name", "jane smith"), ("name", "university of oxford")}),
    ("Newton D. Baker was there", {("name", "newton d. baker")}),
    ("it was written as “The Long Road” once", {("name", "long road")}),
    ("The Panthers won. In May the Board met on Friday Afternoon", set()),
    ("Use Redis here. Fix Login now. I said Hello", set()),
    ("THIS IS SHOUTED IN NEW YORK", set()),
    ('he said "yes please" and "No"', set()),
    ("We agreed that the nightly export should run before the ledger closes, since finance reads it at seven.", set()),
]


@pytest.mark.parametrize(("text", "expected"), NAMED, ids=[text[:40] for text, _ in NAMED])
def test_a_text_names_this_and_nothing_else(text, expected):
    assert {(named.kind, named.key) for named in entities(text)} == expected


def memory(summary, **fields):
    strength, nothing = Strength(1.0, 5.0, 0.0), {"detail": "", "tags": (), "metadata": {}, "source": Source(), "pointers": ()}
    times = {"recorded_at": 0.0, "updated_at": 0.0, "seen": 1, "strength": strength}
    known = {"id": 1, "digest": "0" * 32, "project": "p", "kind": "fact", "status": "active", "origin": "test"}
    return Memory(**known | {"summary": summary} | nothing | times | fields)


def named(*args, **fields):
    return [(found.kind, found.key) for found in of_memory(memory(*args, **fields))]


def test_a_memory_names_what_it_points_at_came_from_and_is_tagged_with():
    source = Source(file="notes/plan.md", commit="abcdef1234567890")
    found = named("a thing", pointers=(Pointer("src/a/b.rs", "parse_line"),), source=source, tags=("#12", "database"))
    expected = [("file", "src/a/b.rs"), ("file", "b.rs"), ("symbol", "parse_line"), ("file", "notes/plan.md"), ("file", "plan.md")]
    assert found == [*expected, ("commit", "abcdef1"), ("ticket", "#12")]


def test_a_pointer_counts_whatever_the_file_is_called():
    assert named("a thing", pointers=(Pointer("bin/clew"),)) == [("file", "bin/clew"), ("file", "clew")]


def test_a_title_is_the_thing_that_its_memory_is_about():
    assert named("Out of Place (film)", detail="a documentary") == [("name", "out of place")]


@pytest.mark.parametrize(
    "summary", ["Scott Derrickson", "Cyprus–Saudi Arabia relations of States", "Cyprus", "2014 FIFA World Cup", "Run the World"]
)
def test_a_summary_in_capitals_is_a_title(summary):
    assert title_of(summary) is not None


@pytest.mark.parametrize(
    "summary", ["Use PostgreSQL for the ledger", "deploys go through Argo", "We met Jane.", "Why Redis?", "1234", "x" * 90, "(film)"]
)
def test_a_sentence_is_no_title(summary):
    assert title_of(summary) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Long  Road", "long road"),
        ("Foo Bar (novel)", "foo bar"),
        ("Jane’s", "jane"),
        ('"Foo Bar",', "Foo Bar"),
        ("(all of it)", "(all of it)"),
    ],
)
def test_names_that_differ_in_dress_only_are_one(one, other):
    assert key_of(one) == key_of(other)


def test_other_keys_a_name_answers_to():
    assert symbol("UserProfileService").aliases == symbol("user_profile_service").aliases == ("user profile service",)
    assert symbol("main").aliases == ()
    assert ticket("012", "Owner/Repo") == ("ticket", "owner/repo#12", "Owner/Repo#12", ("#12",))
    assert [found.aliases for found in entities("by 1a2b3c4d5e since commit 1a2b3c4d5e")] == [("1a2b3c4d5e",)]


def test_the_same_thing_written_twice_is_named_once_as_first_written():
    (found,) = entities("User_Name and user_name")
    assert (found.key, found.name) == ("user_name", "User_Name")


def test_what_is_named_in_a_form_goes_before_names_where_there_is_too_much():
    text = " ".join(f"Alpha{'bcdefghijklmnop'[i % 15]} Beta{i}x." for i in range(60)) + " fixes #12"
    found = entities(text)
    assert len(found) == MOST
    assert found[0].key == "#12" or "#12" in {f.key for f in found}


def test_only_the_beginning_of_a_long_detail_is_looked_at():
    assert named("a log", detail="x " * (READ // 2) + "fixes #12") == []
    assert named("a log", detail="fixes #12 " + "x " * READ) == [("ticket", "#12")]


@given(st.text(max_size=300))
def test_any_text_gives_few_names_and_the_same_ones_again(text):
    found = entities(text)
    assert found == entities(text)
    assert len(found) <= MOST
    assert len({(f.kind, f.key) for f in found}) == len(found)
    assert all(f.key and f.name and f.key == f.key.casefold() for f in found)


ODD = st.sampled_from(
    ["`", '"', "#", "@", "/", ".", "_", "::", "()", "://", "http", "A", "Ab", "1a", "PR", " ", "\n", "v1", "fix", "import ", "by "]
)


@given(st.lists(ODD, max_size=60).map("".join))
def test_any_mixture_of_signs_is_read_to_its_end(text):
    assert len(entities(text)) <= MOST
    title_of(text.strip() or "x")


@pytest.mark.parametrize("piece", ["a/", "a.", "A ", "_a", "#1", "`", "A of ", "(", "http://", "a::", "-", "pip install ", "by A", "a@"])
def test_a_long_run_of_anything_ends_soon(piece):
    assert len(entities(piece * 20_000)) <= MOST
