"""A memory whose embedder asks a server: what happens while it answers, while it is down, and when another model answers."""

import pytest

from clew import Clew, Draft, EmbedderDown, EmbedderMismatch, InvalidInput
from clew.embed import remote


@pytest.fixture
def opened(server, tmp_path, monkeypatch):
    """Opens the test's store with the server as embedder; a failed server is asked again at once."""
    monkeypatch.setattr(remote, "REST_SECONDS", 0.0)
    env = {"CLEW_EMBED": "ollama", "CLEW_EMBED_URL": server.url, "CLEW_EMBED_MODEL": "m", "HOME": str(tmp_path)}
    return lambda **more: Clew(str(tmp_path / "memory.db"), project="p", env=env, **more)


def down(status, content):
    """Spoils every answer."""
    return 503, b"out of memory"


def up(status, content):
    """Spoils none."""
    return status, content


def test_what_is_remembered_is_found_by_the_models_meaning(opened):
    with opened() as clew:
        clew.remember("the ledger is append only", detail="so that an audit can replay it")
        (hit,) = clew.recall("why is the ledger append only")
        assert hit.signals.semantic > 0.5
        assert clew.status()["embedder"].startswith("m@")
        assert clew.notes() == []


def test_a_server_that_is_down_stops_no_remembering_and_the_gap_is_told_and_healed(opened, server):
    with opened() as clew:
        clew.remember("the ledger is append only")
        server.spoil = down
        kept = clew.remember("port 8080 serves staging")
        assert kept.created
        assert any("embedder 'm' is down" in note and "HTTP 503" in note for note in clew.notes())
        assert [h.memory.id for h in clew.recall("which port serves staging")] == [kept.memory.id]
        server.spoil = up
        assert clew.recall("which port serves staging")[0].signals.semantic is None
        assert [note for note in clew.notes() if "clew reindex" in note]
        assert clew.reindex() == 2
        assert clew.recall("which port serves staging")[0].signals.semantic > 0.5
        assert clew.notes() == []


def test_a_store_begun_while_the_server_was_down_is_healed_too(opened, server):
    server.spoil = down
    with opened() as clew:
        clew.remember("the ledger is append only")
        assert clew.status()["embedder"] == "m"
    server.spoil = up
    with opened() as clew:
        clew.remember("port 8080 serves staging")
        assert any("clew reindex" in note for note in clew.notes())
        clew.reindex()
        assert clew.recall("is the ledger append only")[0].signals.semantic > 0.5


def test_every_verb_that_writes_goes_on_by_words(opened, server):
    with opened() as clew:
        first = clew.remember("the ledger is append only").memory.id
        server.spoil = down
        assert clew.edit(first, summary="the ledger is append only, always").memory.id == first
        assert len(clew.remember_many(iter([Draft("one more fact"), Draft("and another one")]))) == 2
        assert clew.import_jsonl(iter([{"summary": "a fact from elsewhere"}]))["new"] == 1
        assert clew.project_move([first], into="other") == 1
        assert clew.project_merge("p", into="other") == 3
        assert clew.prompt_pack("what is appended to the ledger").text != ""


def test_a_rebuild_needs_the_server_and_leaves_all_as_it_was_without(opened, server):
    with opened() as clew:
        clew.remember("the ledger is append only")
        server.spoil = down
        with pytest.raises(EmbedderDown, match="HTTP 503"):
            clew.reindex()
        server.spoil = up
        assert clew.recall("ledger append only")[0].signals.semantic > 0.5


def test_another_model_behind_the_same_name_is_refused_until_a_rebuild(opened, server):
    with opened() as clew:
        clew.remember("the ledger is append only")
    server.model = "other"
    with opened() as clew:
        with pytest.raises(EmbedderMismatch, match=r"m@[0-9a-f]{16}.*`clew reindex`"):
            clew.recall("ledger")
        assert clew.reindex() == 1
        assert clew.recall("ledger append only")


def test_the_same_model_with_other_last_digits_is_not(opened, server):
    with opened() as clew:
        clew.remember("the ledger is append only")
    server.spoil = lambda status, c: (status, {"embeddings": [[x + 1e-4 * (at % 3) for at, x in enumerate(r)] for r in c["embeddings"]]})
    with opened() as clew:
        assert clew.recall("ledger append only")[0].signals.semantic > 0.5


def test_a_reader_that_must_be_quick_asks_no_server(opened, server):
    with opened() as clew:
        clew.remember("the ledger is append only")
    server.requests.clear()
    with opened(read_only=True, long_lived=False) as clew:
        assert "append only" in clew.prompt_pack("what is appended to the ledger").text
        assert clew.recall("ledger append only")[0].signals.semantic is None
    assert server.requests == []


def test_a_question_for_anybody_is_answered_with_nothing(opened):
    with opened() as clew:
        clew.remember("the ledger is append only")
        assert clew.recall("recipe ingredients cook dish oven bread") == []


def test_text_leaves_this_network_only_where_that_is_said(tmp_path):
    env = {
        "CLEW_EMBED": "openai-compatible",
        "CLEW_EMBED_URL": "https://models.example.com",
        "CLEW_EMBED_MODEL": "m",
        "HOME": str(tmp_path),
    }
    with pytest.raises(InvalidInput, match=r"CLEW_EMBED_URL: models\.example\.com is not near.*CLEW_EMBED_ANYWHERE=yes"):
        Clew(str(tmp_path / "memory.db"), env=env)
    with Clew(str(tmp_path / "memory.db"), env=env | {"CLEW_EMBED_ANYWHERE": "yes"}) as clew:
        assert clew.list() == []
    with Clew(str(tmp_path / "memory.db"), env=env | {"CLEW_EMBED": "static"}) as clew:
        assert clew.list() == []
