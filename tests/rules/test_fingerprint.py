"""What a failure is known by: which lines count, what in them is noise and what is meaning, and that no input is too odd."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.rules import commands, failures, masks, outcome
from clew.rules.fingerprint import HEAD, TAIL, VERSION, clean, fingerprint

GO = "--- FAIL: TestTotal (0.03s)\n    cart_test.go:12: total is wrong: got 2, want 3\nFAIL\nFAIL\texample.test/shop/cart\t0.039s\nFAIL"


def exact(text: str, root: str = "") -> str:
    return fingerprint(text, root=root).exact


def test_every_pattern_of_the_tables_compiles():
    patterns = [mask.pattern for mask in masks.MASKS] + [part for mask in masks.MASKS for part in (mask.only, mask.unless)]
    patterns += [part for shape in failures.SHAPES + failures.WRAPPING for part in (shape.pattern, shape.keep)]
    patterns += [frames.pattern for frames in failures.FRAMES] + [pattern for _, pattern in failures.SPEAKERS]
    patterns += [failures.NOISE, failures.TELLS, failures.CONTEXT, failures.PREFIXES]
    patterns += [pattern for _, pattern in commands._FAMILIES] + [pattern for _, pattern in outcome._COUNTS]
    assert len(patterns) > 150
    for pattern in patterns:
        masks.compiled(pattern, 8)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("go test", GO),
        ("go build", "cmd/main.go:4:2: undefined: cart"),
        ("pytest", "E   AssertionError: assert 1 == 2\nFAILED tests/test_a.py::test_x"),
        ("unittest", "FAIL: test_x (mod.Class.test_x)\n-----\nAssertionError: 2 != 3"),
        ("python", 'Traceback (most recent call last):\n  File "/x/a.py", line 3, in f\nKeyError: 1'),
        ("rust", "error[E0308]: mismatched types\n --> src/main.rs:2:18\n  |\n2 |  x\n  |  ^ expected `i32`, found `&str`"),
        ("tsc", "src/main.ts(2,7): error TS2322: Type 'string' is not assignable to type 'number'."),
        ("jest", "  ● cart › adds\n\n    Expected: 3\n    Received: 2"),
        ("mypy", 'app/main.py:9: error: "str" has no attribute "x"  [attr-defined]'),
        ("ruff", "app/main.py:1:8: F401 [*] `os` imported but unused"),
        ("gcc", "src/main.c:4:18: error: 'total' undeclared"),
        ("javac", "src/Main.java:3: error: cannot find symbol"),
        ("dotnet", "Program.cs(12,34): error CS0103: The name 'x' does not exist"),
        ("git", "fatal: not a git repository"),
        ("npm", 'npm error Missing script: "frob"'),
        ("http", "curl: (7) Failed to connect to 127.0.0.1 port 9"),
        ("shell", "bash: line 3: frob: command not found"),
        ("make", "make: *** [Makefile:2: check] Error 3"),
        ("other", "something odd happened"),
    ],
)
def test_the_kind_says_whose_shape_it_was(kind, text):
    assert fingerprint(text).kind == kind


def test_the_template_shows_what_was_kept_and_what_was_blanked():
    found = fingerprint("job 8f3a9c1d-77aa-4b1c-9d2e-0123456789ab failed at 2026-01-19T15:18:54Z: expected 3, got 2")
    assert found.template == "job <uuid> failed at <time>: expected 3, got 2"
    assert (found.version, len(found.exact), len(found.place)) == (VERSION, 32, 32)


@pytest.mark.parametrize(
    ("told", "blank"),
    [
        ("at 0x7e11aa0b2470 in f", "at <addr> in f"),
        ("listening on 127.0.0.1:45777", "listening on 127.0.0.1:<port>"),
        ("object sha256:9f86d081884c7d65 is missing", "object <hex> is missing"),
        ("worker pid 4321 died", "worker pid <pid> died"),
        ("commit 9c41e07 is bad", "commit <hex> is bad"),
        ("failed after 12 ms: refused", "failed after <dur>: refused"),
        ("saw /tmp/tmpab12cd34/state.json", "saw <tmp>/state.json"),
        ("see https://ci.example/actions/runs/30011122233/job/80044455566", "see https://ci.example/actions/runs/<n>/job/<n>"),
        ("/usr/lib/python3.11/json/decoder.py broke", "<lib>/json/decoder.py broke"),
        ("attempt 3 of 5 was bad", "attempt <n> was bad"),
        ("15:18:54.123 it broke", "<time> it broke"),
        ("request timed out after 30002ms", "request timed out after 30000ms"),
        ("slow down, retry after 37 seconds", "slow down, retry after <dur>"),
        ("started 2 minutes ago", "started <dur> ago"),
        ("back-off restarting (x14 over 5m)", "back-off restarting"),
        ("Entity org.shop.Cart@77aa01 is detached", "Entity org.shop.Cart@<hex> is detached"),
        ("shop.cart:total:41 - no price", "shop.cart:total - no price"),
        ("Task[ForkPoolWorker-3] died", "Task[ForkPoolWorker-<n>] died"),
        ("bash: line 1: 26136 Killed", "sh: <pid> Killed"),
        ("/bin/bash: line 1:   613 Killed", "sh: <pid> Killed"),
        ("bash: Zeile 3: golint: nicht gefunden", "sh: golint: nicht gefunden"),
        ("(eval):1: no matches found: a*", "sh: no matches found: a*"),
        ("[03-Feb-2026 09:14:55 UTC] PHP Fatal error", "[<time>] PHP Fatal error"),
        ("a.ts: SyntaxError: '}' expected. (12:5)", "a.ts: SyntaxError: '}' expected.:L"),
        ("pool-3-thread-12 died", "pool-thread-<n> died"),
        ("#PID<0.312.0> died", "#PID<pid> died"),
        ("(node:4188) Warning: closed", "(node:<pid>) Warning: closed"),
        ('{"pid":1,"hostname":"box","msg":"closed"}', '{"pid":<pid>,"hostname":<host>,"msg":"closed"}'),
        ("rename 'a.yaml.3987452746' -> 'a.yaml'", "rename 'a.yaml.<n>' -> 'a.yaml'"),
        ("rmdir /w/node_modules/.lodash-cIqLgIfc", "rmdir <lib>/.lodash-<hex>"),
        ("checksum of ref 1f0c-77aa::qk3v9x: no", "checksum of ref <id>: no"),
        ("No file. Current working directory: /home/ann/cli", "No file. Current working directory: <cwd>"),
        ("TypeError: Cart.add() missing 1 argument", "TypeError: add() missing 1 argument"),
        ("FAIL: test_a (test_c.Cart.test_a)", "FAIL: test_a (test_c.Cart)"),
        ("4: 0xb83f50 node::Abort() [/usr/bin/node]", "4: <addr> node::Abort() [node]"),
        ("39h Warning BackOff no", "Warning BackOff no"),
        ("up.sh: line 3: 12 Killed", "up.sh: line L: <pid> Killed"),
        ("/srv/ci/up.sh: line 3: closed", "up.sh: line L: closed"),
        ("back-off 40s restarting", "back-off <dur> restarting"),
        ("downloaded: h1:Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA=", "downloaded: <hex>"),
        ("4188 [ERROR] closed", "[ERROR] closed"),
        ("reset at 1712345678, not before", "reset at <time>, not before"),
        ("stamp 1712345678.125", "stamp <time>"),
        ("tid=0x00007fff", "tid=<pid>"),
        ("branch 'a/18ecb26-d97ba98c' is gone", "branch 'a/<hex>' is gone"),
        ("range 18ecb26..a327ee4 is bad", "range <hex>..<hex> is bad"),
        ("HEAD is now at 1827364 x", "HEAD is now at <hex> x"),
        (".a/metadata/d9/7ba98c54fb/full.jsonl is gone", ".a/metadata/<hex>/full.jsonl is gone"),
        ('in use by container "78dc6f6a43d0"', 'in use by container "<hex>"'),
        ("compressed from 734649 to 70732 tokens", "compressed from <n> to <n> tokens"),
        ("open -Users-ann-wks-shop/a.jsonl", "open <folder>/a.jsonl"),
        ('{"file":"call.cc","file_line":1066}', '{"file":"call.cc","file_line":L}'),
        ("mill:launch failed +30s", "mill:launch failed"),
        ("profile /tmp/mill-kl96aq6h is taken", "profile <tmp> is taken"),
        ("profile /tmp/mill-config1 is taken", "profile <tmp>/mill-config1 is taken"),
        ("read tcp 127.0.0.1:51234->127.0.0.1:5432: reset", "read tcp 127.0.0.1:<port>->127.0.0.1:5432: reset"),
        ("psql:/tmp/tmp.Xk2/seed.sql:41: bad", "psql:<tmp>/seed.sql:L: bad"),
    ],
)
def test_noise_is_blanked_by_its_form(told, blank):
    assert masks.masked(told) == blank


@pytest.mark.parametrize(
    "told",
    [
        "the sum is 2040, but 1999 came in",
        "connect ECONNREFUSED 127.0.0.1:6379",
        "connect ECONNREFUSED ::1:443",
        "room K21 not free on day 2031-03-07",
        "voucher_1180342 not found",
        "shelf 1712345678 not found",
        "code point not below 0x110000",
        "string `fed987cba654` is odd",
        "Timeout of 2000ms exceeded.",
        "expected 2 errors, got 3 errors",
        "exit status 137",
        "HTTP 404: Not Found",
        "package requires python >=3.11",
        "exceeds maximum allowed size (25KB)",
    ],
)
def test_values_codes_and_what_was_expected_are_kept(told):
    assert masks.masked(told) == told


@pytest.mark.parametrize(
    ("path", "root", "relative"),
    [
        ("/home/ann/work/shop/src/a.py", "/home/ann/work/shop", "src/a.py"),
        ("/home/ann/work/shop/billing/models.py", "/home/ann/work/shop", "billing/models.py"),
        ("/home/ann/work/shop-2/a.py", "/home/ann/work/shop", "shop-2/a.py"),
        ("/home/ann/work/shop", "/home/ann/work/shop/", "."),
        ("/Users/ann/code/shop/.worktrees/3/go.mod", "/Users/ann/code/shop", "go.mod"),
        ("/Users/ann/code/shop/.worktrees/3/cmd/x.go", "", "cmd/x.go"),
        ("C:\\Users\\ann\\shop\\src\\a.cs", "", "src/a.cs"),
        ("/builds/group/shop/tests/x.py", "", "tests/x.py"),
        ("/x/.venv/lib/python3.12/site-packages/requests/api.py", "", "<lib>/requests/api.py"),
        ("/etc/hosts", "", "/etc/hosts"),
        ("/runner/web/tests/login.spec.ts", "", "tests/login.spec.ts"),
        ("/builds/team/web/src/a.js", "", "src/a.js"),
        ("D:\\a\\shop\\shop\\src\\a.cs", "", "src/a.cs"),
        ("/usr/share/dict/words.txt", "", "/usr/share/dict/words.txt"),
        ("/Users/ann/wks/shop", "", "shop"),
        ("/home/ann/work/shop/.clew/logs/a.log", "", ".clew/logs/a.log"),
        ("/home/ann/work/shop/CONTRIBUTING.md", "", "CONTRIBUTING.md"),
        ("/home/ann/work/shop/billing/models.py", "", "billing/models.py"),
    ],
)
def test_a_path_is_told_as_seen_from_the_project(path, root, relative):
    assert masks.project_relative(path, root) == relative


def test_two_packages_of_a_known_project_are_two_places():
    one, two = (f"/home/a/shop/{part}/models.py:3: error: no name" for part in ("billing", "users"))
    assert exact(one, "/home/a/shop") != exact(two, "/home/a/shop")
    assert exact(one, "/home/a/shop") == exact("billing/models.py:9: error: no name")


def test_the_same_place_with_another_message_shares_the_place_key_only():
    one, two = fingerprint("src/a.c:3:1: error: 'x' undeclared"), fingerprint("src/a.c:9:2: error: expected ';'")
    assert one.exact != two.exact
    assert one.place == two.place
    assert one.place != fingerprint("src/b.c:3:1: error: 'x' undeclared").place


def test_tests_that_run_in_another_order_are_the_same_failure():
    lines = ["FAILED tests/a.py::x - assert 1 == 2", "FAILED tests/b.py::y - KeyError: 'k'"]
    assert exact("\n".join(lines)) == exact("\n".join(reversed(lines)))


def test_one_failing_test_more_is_another_failure():
    assert exact("FAILED tests/a.py::x - boom") != exact("FAILED tests/a.py::x - boom\nFAILED tests/b.py::y - boom")


def test_what_passed_and_warnings_do_not_count():
    assert exact("ok  \texample.test/a\t0.1s\n" + GO) == exact(GO)
    assert exact("src/a.c:1:1: warning: unused\nsrc/a.c:3:1: error: bad") == exact("src/a.c:3:1: error: bad")


def test_a_linter_s_finding_above_its_site_is_the_one_beside_it():
    assert exact("F821 Undefined name `h`\n  --> src/a.py:10:5\n   |\n10 |     h()") == exact("src/a.py:6:5: F821 Undefined name `h`")
    assert exact("F821 Undefined name `h`\n  --> src/b.py:10:5") != exact("src/a.py:6:5: F821 Undefined name `h`")


def test_a_list_of_tests_counts_where_nothing_below_tells_them_in_full():
    full = "  ● cart › adds\n\n    expected 6\n"
    assert exact("  ✕ adds (8 ms)\n\n" + full) == exact(full)
    assert exact("  ✕ adds (8 ms)") != exact("  ✕ reads (8 ms)")


def test_what_go_s_compiler_has_and_wants_counts():
    said = "main.go:3:4: too many arguments in call to grind\n\thave (int, {})\n\twant (int)"
    assert exact(said.format("int")) != exact(said.format("string"))


def test_what_a_browser_waited_for_counts():
    waited = "TimeoutError: locator.click: Timeout 30000ms exceeded.\nCall log:\n  - waiting for getByText('{}')"
    assert exact(waited.format("Pay")) != exact(waited.format("Cancel"))


def test_of_a_python_stack_the_project_s_own_last_frame_counts():
    ours, theirs = '  File "/p/src/{0}.py", line {1}, in {0}\n', '  File "/usr/lib/python3.11/json/x.py", line 3, in loads\n'
    stack = "Traceback (most recent call last):\n" + ours + theirs + "ValueError: no"
    assert exact(stack.format("load", 3)) == exact(stack.format("load", 9))
    assert exact(stack.format("load", 3)) != exact(stack.format("save", 3))


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\x1b[0m", "\r\n", b"", b"\x00\x01"])
def test_a_text_that_says_nothing_has_no_key(text):
    assert fingerprint(text) == ("", "", "", VERSION, "")


def test_bytes_that_are_no_text_and_lone_surrogates_are_read_all_the_same():
    assert fingerprint(b"error: \xff\xfe broke").template.startswith("error: ")
    assert fingerprint("error: \ud800 broke").exact


def test_fifty_megabytes_are_read_at_both_ends_only():
    long = "error: first\n" + "noise line\n" * 5_000_000 + "src/a.c:3:1: error: last\n"
    assert len(clean(long)) <= HEAD + TAIL + 2
    assert "last" in fingerprint(long).template
    assert exact(long) == fingerprint(long.encode()).exact


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "/a" * 500_000,
        "a.b" * 300_000 + ":12",
        "Traceback (most recent call last):\n" + '  File "x.py", line 1, in f\n    y\n' * 20_000 + "KeyError: 1",
        "\x1b[" * 500_000,
        "1 failed " * 100_000,
        "error: " * 100_000,
        "\\" * 500_000,
        "FAIL  a > " * 100_000,
    ],
)
def test_no_text_makes_a_pattern_run_away(text):
    found = fingerprint(text)  # a pattern that backtracks without bound would not come back
    assert len(found.template) <= 1_000
    assert outcome.outcome_of(outcome.Result("test", text, 1)).outcome == "fail"


@given(st.text())
def test_any_text_has_a_key_or_none_and_always_the_same(text):
    assert fingerprint(text) == fingerprint(text)
    assert bool(fingerprint(text).exact) == bool(clean(text))


@given(st.binary(max_size=200), st.text(max_size=20))
def test_any_bytes_and_any_root_are_fine(text, root):
    assert fingerprint(text, root=root).version == VERSION


@pytest.mark.parametrize(
    "around",
    [
        "loading plugins\nstep one done\n{}\nall steps visited\nbye",
        "{}\nmake: *** [Makefile:12: check] Error 1",
        "{}\nnpm error Lifecycle script `test` failed with error:\nnpm error code 1\nnpm error command sh -c check",
        "  {}",
    ],
)
@pytest.mark.parametrize(
    "failure",
    ["Path does not exist: conf/app.toml", "String to replace not found in file.", "E   KeyError: 'alpha'", "fatal: bad object x"],
)
def test_what_runs_around_a_failure_is_no_part_of_it(failure, around):
    assert exact(around.format(failure)) == exact(failure)


def test_a_bare_exception_is_told_by_its_statement():
    bare = 'Traceback (most recent call last):\n  File "/x/a.py", line {}, in f\n    assert {} == 2\nAssertionError\n'
    assert exact(bare.format(3, "a")) == exact(bare.format(9, "a")) != exact(bare.format(3, "b"))


def test_a_member_of_an_exception_group_is_told_without_its_frame():
    group = "  | ExceptionGroup: two failed (1 sub-exception)\n  +-+---------------- 1 ----------------\n    | ValueError: no {}\n    +---"
    assert "ValueError: no north" in fingerprint(group.format("north")).template.split("\n")
    assert exact(group.format("north")) != exact(group.format("south"))


def test_a_heading_is_told_with_the_lines_under_it():
    heading = "error: these files would be overwritten:\n\tsrc/{}.py\nPlease commit"
    assert exact(heading.format("a")) != exact(heading.format("b"))
