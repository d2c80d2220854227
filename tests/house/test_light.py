"""The light road: whatever a hook may import costs milliseconds, so nothing heavy hides behind a module of floors 1 to 4.

Each module is imported in one fresh interpreter, without site-packages' start-up files (`-I -S` and a path of our own), because those may
import `typing` or `pathlib` before we begin. To see what a module pulls in: `python -X importtime -c 'import clew.service'`.
"""

import json
import subprocess
import sys
import sysconfig

from house import FLOOR_OF, SRC, modules, room_of

HEAVY = (
    "numpy pydantic typer click rich mcp starlette asyncio logging typing pathlib dataclasses argparse "
    "inspect email http urllib.request importlib.metadata importlib.resources sqlite3 decimal concurrent.futures"
).split()
OTHER_ROADS = {"clew.store.postgres"}  # a team's server, never a hook's
# What of the engines and their rules a hook loads before it knows what it is asked: no engine, since each loads when it is first used.
# Whatever else a verb needs it imports itself, inside its function: each module costs every prompt and every tool call of every agent.
HOOKS_LOAD = {
    "clew.engines": set(),
    "clew.rules": set("fsrs intake packs redact secrets".split()),
}

PROBE = """
import builtins, json, sys
sys.path[:0] = {paths!r}
heavy, blame, real = set({heavy!r}), {{}}, builtins.__import__

def watched(name, globals=None, locals=None, fromlist=(), level=0):
    before = heavy - sys.modules.keys()
    found = real(name, globals, locals, fromlist, level)
    for new in before & sys.modules.keys():
        blame.setdefault(new, (globals or {{}}).get("__name__", "?"))
    return found

builtins.__import__ = watched
for module in {modules!r}:
    watched(module)
{then}
print(json.dumps({{name: blame.get(name, "?") for name in sorted(heavy & sys.modules.keys())}}))
"""

# The server's whole road to tools/list, its output taken off standard output.
LISTING = """
import os
into, out = os.pipe(), os.pipe()
os.dup2(into[0], 0)
real_output = os.dup(1)
os.dup2(out[1], 1)
os.write(into[1], b'{"jsonrpc":"2.0","id":1,"method":"initialize"}\\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\\n')
os.close(into[1])
stdout = sys.stdout
assert sys.modules["clew.mcp.server"].main(["--stdio"]) == 0
assert b'"id":2,"result":{"tools":[' in os.read(out[0], 1 << 16)
os.dup2(real_output, 1)
sys.stdout = stdout
"""


def light_modules() -> list[str]:
    """Every module of floors 1 to 4, lowest first, so that blame falls on the one that did it."""
    rooms = {name: FLOOR_OF.get(room_of(name), 9) for name in modules()}
    return sorted((name for name, floor in rooms.items() if floor <= 4 and name not in OTHER_ROADS), key=lambda name: (rooms[name], name))


def heavy_after(names: list[str], then: str = "") -> dict[str, str]:
    """Which heavy modules importing these brings in, and who imported each; in a fresh interpreter, after doing `then`."""
    return run(names, then, HEAVY)


def run(names: list[str], then: str, heavy: list[str]) -> dict[str, str]:
    """As `heavy_after`, with one's own list of what is heavy."""
    paths = [str(SRC), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    code = PROBE.format(paths=paths, heavy=heavy, modules=names, then=then)
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_nothing_heavy_is_imported_on_floors_one_to_four():
    names = light_modules()
    assert {"clew.model", "clew.errors", "clew.limits"} <= set(names)
    assert heavy_after(names) == {}


def test_a_hook_loads_the_engines_and_rules_it_needs_and_no_others():
    watched = [name for name in modules() if name.startswith(("clew.engines.", "clew.rules."))]
    blame = run(["clew.hooks.front", "clew.hooks.dialects"], "from clew.service import Agents", watched)
    assert "clew.rules.packs" in blame
    assert {name: by for name, by in blame.items() if name.split(".")[2] not in HOOKS_LOAD[name.rpartition(".")[0]]} == {}


def test_a_hook_loads_the_verbs_of_hooks_and_what_a_store_does_but_not_what_it_promises():
    watched = ["contextlib", *(name for name in modules() if name.startswith("clew.service."))]
    promises = [f"clew.store.{name}" for name in ("base", "talk")]
    blame = run(["clew.hooks.front", "clew.hooks.dialects"], "from clew.service import Agents", [*watched, *promises])
    needed = {f"clew.service.{name}" for name in ("agents", "attempting", "opening", "remembering")}
    assert blame.keys() == needed


def test_an_engine_that_was_named_loads_with_its_first_use():
    named = "from clew.engines import capture"
    assert run(["clew.engines"], named, ["clew.engines.capture"]) == {}
    assert "clew.engines.capture" in run(["clew.engines"], f"{named}\nassert capture.USED_APART == 60.0", ["clew.engines.capture"])


def test_the_hook_before_a_tool_opens_nothing_while_all_goes_well():
    watched = [name for name in modules() if name.startswith(("clew.engines.", "clew.rules.", "clew.embed", "clew.store.sqlite"))]
    asked = "from clew.service import anybody_on_guard\nassert not anybody_on_guard({'CLEW_DB': '/nowhere/memory.db'})"
    assert run(["clew.hooks.front", "clew.hooks.dialects"], asked, ["apsw", "clew.model", *watched]) == {}


def test_a_command_loads_the_module_it_stands_in_and_no_other_commands():
    watched = [name for name in modules() if room_of(name) == "cli"]
    blame = run(["clew.cli.run"], "assert sys.modules['clew.cli.app'].app.get_command(None, 'why').name == 'why'", watched)
    assert blame.keys() - {"clew.cli"} == {f"clew.cli.{name}" for name in "run app group render options trails".split()}


def test_the_sqlite_driver_itself_is_light():
    assert heavy_after(["apsw"]) == {}


def test_the_mcp_server_is_light_until_it_has_listed_its_tools():
    assert heavy_after(["clew.mcp.server"], then=LISTING) == {}
    assert "clew.service" in run(["clew.mcp.server"], then=f"{LISTING}\nfrom clew.service import Clew", heavy=["clew.service"])
    assert run(["clew.mcp.server"], then=LISTING, heavy=["clew.service", "clew.mcp.calls", "apsw"]) == {}


def test_the_rest_of_the_mcp_server_is_light_too():
    assert heavy_after(sorted(name for name in modules() if room_of(name) == "mcp")) == {}


def test_the_probe_finds_what_it_looks_for():
    assert heavy_after(["typing", "click"]).keys() >= {"typing", "click"}
    assert heavy_after(["tempfile", "importlib.resources"])["pathlib"] != ""
