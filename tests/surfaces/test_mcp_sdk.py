"""The official client of the protocol against `clew mcp`: it opens in each era, lists every tool, calls each, checks each result."""

import asyncio

import pytest

from clew.mcp.tools import TOOLS

LONG = "\n\n".join(f"Harbour {n} was built by {name} and never closes." for n, name in enumerate(("Ann", "Bo", "Cy", "Di", "Ed", "Flo")))
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
PIXEL = {"content": "", "kind": "screenshot", "media": {"mime": "image/png", "bytes_b64": PNG}}
ERAS = [("auto", "2026-07-28"), ("2026-07-28", "2026-07-28"), ("legacy", "2025-11-25")]


async def a_session(clew, mode):
    """Everything the server offers, used once, in the order an agent would."""
    from mcp.client.stdio import StdioServerParameters
    from mcp.types import Implementation, ListRootsResult, Root

    from mcp import Client

    async def roots(context):
        return ListRootsResult(roots=[Root(uri=clew.cwd.as_uri())])

    command, *arguments = [*clew.argv, "mcp"]
    server = StdioServerParameters(command=command, args=arguments, env=clew.env, cwd=clew.home)
    who = Implementation(name="codex-mcp-client", version="1")
    async with Client(server, mode=mode, client_info=who, list_roots_callback=roots) as client:
        listed = (await client.list_tools()).tools
        kept = await client.call_tool("remember", {"summary": "Use SQLite", "kind": "decision", "metadata": {"year": 2026}})
        cause = await client.call_tool("remember", {"summary": "No server to run", "kind": "fact"})
        number = kept.structured_content["id"]
        calls = [
            ("recall", {"question": "which database: SQLite?"}),
            ("link", {"src": number, "relation": "because", "dst": str(cause.structured_content["id"])}),
            ("why", {"about": str(number)}),
            ("feedback", {"id": str(number), "verdict": "useful"}),
            ("supersede", {"old": number, "summary": "Use PostgreSQL", "reason": "two writers"}),
            ("context", {"budget": 2_000}),
            ("resume", {"text": "next: the schema"}),
            ("forget", {"ids": [str(number)], "confirm": True}),
            ("working_set", {}),
            ("restore", {"what": cause.structured_content["id"]}),
            ("attempt", {"target": "pytest tests/test_cart.py", "exit": 1, "output": "E   AssertionError: assert 3 == 4"}),
            ("tried", {"about": "pytest tests/test_cart.py"}),
            ("compile_context", {"query": "a", "token_budget": 40, "fragments": [{"content": LONG, "id": 2**60}, PIXEL]}),
            ("explain_compilation", {"request": {"fragments": [{"content": "x"}]}, "fragment_index": 0}),
            ("savings", {}),
            ("suggest_budget", {"model": "claude-haiku-4-5"}),
            ("save_working_context", {"context": {"goal": "Ship it", "decisions": ["use SQLite"]}}),
            ("load_working_context", {}),
            ("list_working_context", {"limit": 5}),
        ]
        results = {"remember": kept} | {name: await client.call_tool(name, given) for name, given in calls}
        handle = results["compile_context"].content[0].text.partition("src:")[2][:12]
        results["retrieve_source"] = await client.call_tool("retrieve_source", {"handle": f"src:{handle}"})
        wrong = await client.call_tool("recall", {"query": "x"})
        return client.protocol_version, client.instructions, listed, results, wrong


@pytest.mark.parametrize(("mode", "version"), ERAS)
def test_the_official_client_lists_and_calls_every_tool(clew, mode, version):
    agreed, instructions, listed, results, wrong = asyncio.run(a_session(clew, mode))
    assert agreed == version
    assert mode == version or "RECALL" in instructions  # told of its version, it asks for nothing before its first request
    assert [tool.name for tool in listed] == [tool["name"] for tool in TOOLS]
    assert set(results) == {tool.name for tool in listed}
    assert [
        name for name, result in results.items() if result.is_error or not result.structured_content or not result.content[0].text
    ] == []
    assert results["recall"].structured_content["memories"][0]["origin"] == "codex"
    assert results["link"].structured_content == {"src": 1, "relation": "because", "dst": 2, "linked": True}
    assert "#1 -because-> #2" in results["why"].content[0].text
    assert "Use PostgreSQL" in results["context"].content[0].text
    assert results["retrieve_source"].structured_content["text"] == LONG
    assert "| No server to run" in results["restore"].content[0].text
    assert results["tried"].structured_content["failed"][0]["outcome"] == "fail"
    assert results["savings"].structured_content["compilations"] == 1
    assert results["list_working_context"].structured_content["contexts"][0]["context"]["goal"] == "Ship it"
    assert [block.type for block in results["compile_context"].content] == ["text", "image"]
    assert wrong.is_error
    assert wrong.content[0].text.startswith("query: is no argument of recall")


def test_a_client_with_roots_works_in_its_root_and_not_in_its_home(clew):
    _, _, _, results, _ = asyncio.run(a_session(clew, "legacy"))
    assert "project somewhere" in results["remember"].content[0].text
