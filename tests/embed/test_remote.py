"""Embedders behind an address, against a real server on loopback: good, slow, broken and lying."""

import json

import pytest

from clew.embed import asking, open_embedder, remote
from clew.embed.base import made
from clew.embed.everyday import TOPICS, nearness
from clew.embed.remote import RemoteEmbedder, Server, folded
from clew.errors import EmbedderDown, InvalidInput
from model_server import DIM, vector


def embedder(server, dialect="ollama", key=""):
    return RemoteEmbedder(dialect, Server(server.url, "some-model:latest", key))


def cosine(a, b):
    x, y = memoryview(a).cast("b").tolist(), memoryview(b).cast("b").tolist()
    size = (sum(v * v for v in x) * sum(v * v for v in y)) ** 0.5
    return sum(v * w for v, w in zip(x, y, strict=True)) / size


def spoilt(change):
    """A `spoil` that lets `change` at the vectors of Ollama's answer."""
    return lambda status, content: (status, content | {"embeddings": change(content["embeddings"])})


def with_first(value):
    """A `spoil` that puts `value` in the place of the first number."""
    return spoilt(lambda rows: [[value, *rows[0][1:]], *rows[1:]])


def test_both_ways_of_asking_give_the_same_vectors(server):
    texts = ["the ledger is append only", "why is the ledger append only", "port 8080"]
    ollama, openai = embedder(server), embedder(server, "openai-compatible")
    assert ollama.embed_many(texts) == openai.embed_many(texts) == [openai.embed(text) for text in texts]
    assert {path for path, _, _ in server.requests} == {"/api/embed", "/v1/embeddings"}
    assert (ollama.name, ollama.fingerprint) == (openai.name, openai.fingerprint) == ("some-model:latest", ollama.fingerprint)
    assert {len(v) for v in ollama.embed_many(texts)} == {256}


def test_texts_that_share_words_are_near_and_others_are_not_though_the_model_calls_all_alike(server):
    a, b, c = embedder(server).embed_many(["the ledger is append only", "why is the ledger append only", "port 8080 of staging"])
    assert cosine(a, b) > 0.6
    assert abs(cosine(a, c)) < 0.35


def test_an_address_may_end_in_a_slash_or_in_v1(server):
    for end in ("", "/", "/v1", "/v1/", "/v1/embeddings"):
        RemoteEmbedder("openai-compatible", Server(server.url + end, "m")).embed("x")
    assert {path for path, _, _ in server.requests} == {"/v1/embeddings"}


def test_many_texts_go_in_batches_and_empty_ones_not_at_all(server):
    vectors = embedder(server).embed_many([f"text {i}" for i in range(130)] + [" "])
    assert server.texts() == [64, 64, 64, 64, 2]
    assert (len(vectors), vectors[-1]) == (131, b"")


def test_a_long_text_is_cut_to_what_models_read(server):
    embedder(server).embed("word " * 10_000)
    assert len(server.requests[-1][2]["input"][0]) == remote.MOST_CHARS


def test_a_key_goes_along_and_without_one_nothing_does(server):
    embedder(server, key="sk-1").embed("x")
    assert {headers.get("Authorization") for _, headers, _ in server.requests} == {"Bearer sk-1"}
    server.requests.clear()
    embedder(server).embed("x")
    assert {headers.get("Authorization") for _, headers, _ in server.requests} == {None}


def test_opening_asks_nothing(server):
    opened = open_embedder("ollama", server=(server.url, "m", ""))
    assert (opened.embedder.name, opened.trouble, server.requests) == ("m", "", [])


def test_topics_are_asked_for_once_so_that_a_question_costs_no_more(server):
    asking_it = embedder(server)
    question = asking_it.embed(TOPICS[3])
    assert nearness(asking_it, question) > nearness(asking_it, asking_it.embed("ledger append only"))
    assert server.texts() == [64, 64, 1, 1]


@pytest.mark.parametrize("noise", [0.0, 1e-3, 1e-2])
def test_the_same_model_elsewhere_keeps_its_fingerprint_though_its_last_digits_differ(server, noise):
    first = embedder(server)
    signed = f"{first.name}@{first.fingerprint}"
    server.spoil = spoilt(lambda rows: [[x + noise * ((at * 31 + row) % 5 - 2) for at, x in enumerate(r)] for row, r in enumerate(rows)])
    assert made(signed, embedder(server))


@pytest.mark.parametrize(("model", "dim"), [("other", DIM), ("", 256), ("", 768), ("", 100)])
def test_another_model_behind_the_same_name_is_seen(server, model, dim):
    first = embedder(server)
    signed = f"{first.name}@{first.fingerprint}"
    server.model, server.dim = model, dim
    assert not made(signed, embedder(server))


def test_another_name_is_another_embedder_and_nobody_is_asked(server):
    assert not made("other@0123456789abcdef", embedder(server))
    assert server.requests == []


LIES = {
    "broken JSON": (lambda s, c: (200, b'{"embeddings": [[0.1,'), "not JSON"),
    "deep JSON": (lambda s, c: (200, b"[" * 200_000), "not JSON"),
    "no object": (lambda s, c: (200, [1, 2]), "without vectors"),
    "no vectors": (lambda s, c: (200, {"error": "x"}), "without vectors"),
    "vectors that are none": (spoilt(lambda rows: ["x"] * len(rows)), "without vectors"),
    "too few": (spoilt(lambda rows: rows[1:]), "63 vectors to 64 texts"),
    "too many": (spoilt(lambda rows: [*rows, rows[0]]), "65 vectors to 64 texts"),
    "of two sizes": (spoilt(lambda rows: [rows[0][1:], *rows[1:]]), "383, 384 components"),
    "empty": (spoilt(lambda rows: [[] for _ in rows]), "0 components"),
    "endless": (spoilt(lambda rows: [[0.5] * 9000 for _ in rows]), "9000 components"),
    "NaN": (with_first(float("nan")), "no sound number"),
    "infinity": (with_first(float("inf")), "no sound number"),
    "huge": (with_first(1e300), "no sound number"),
    "a whole number past all floats": (with_first(10**400), "no sound number"),
    "a word": (with_first("0.5"), "no sound number"),
    "a truth": (with_first(True), "no sound number"),
    "zeros": (spoilt(lambda rows: [[0.0] * DIM for _ in rows]), "vector of zeros"),
    "one for all": (spoilt(lambda rows: [[1.0] * DIM for _ in rows]), "different texts with one vector"),
    "an error": (lambda s, c: (500, {"error": "model\nbusy"}), r"HTTP 500: '.*busy"),
    "no such model": (lambda s, c: (404, {"error": "model not found"}), "HTTP 404: .*model not found"),
    "a redirect": (lambda s, c: (307, b""), "HTTP 307"),
}


@pytest.mark.parametrize("lie", LIES)
def test_an_answer_that_cannot_be_is_refused_and_named(server, lie):
    server.spoil, said = LIES[lie]
    with pytest.raises(EmbedderDown, match=said) as down:
        embedder(server).embed("x")
    assert "some-model:latest" in str(down.value)
    assert "\n" not in str(down.value)
    assert {path for path, _, _ in server.requests} == {"/api/embed"}
    assert len(server.requests) <= 3


def test_vectors_of_another_size_than_before_are_refused(server):
    asked = embedder(server)
    asked.embed("x")
    server.dim = 768
    with pytest.raises(EmbedderDown, match="768 components instead of 384"):
        asked.embed("y")


def test_an_answer_without_end_is_not_read_to_it(server, monkeypatch):
    monkeypatch.setattr(asking, "MOST_BYTES", 1 << 20)
    server.spoil = lambda status, content: (200, b" " * (3 << 20))
    with pytest.raises(EmbedderDown, match="more than 1 MB"):
        embedder(server).embed("x")


def test_one_failure_is_tried_again(server):
    answers = iter([(500, b""), None, None, (200, b"{")])
    server.spoil = lambda status, content: next(answers, None) or (status, content)
    assert len(embedder(server).embed("x")) == 256
    assert server.texts() == [64, 64, 64, 1, 1]


def test_a_refusal_of_the_request_is_not_tried_again(server):
    server.spoil = lambda status, content: (400, b"too long")
    with pytest.raises(EmbedderDown, match="HTTP 400: 'too long'"):
        embedder(server).embed("x")
    assert server.texts() == [64]


def test_a_server_that_stops_half_way_is_left_after_the_limit(server, monkeypatch):
    monkeypatch.setattr(remote, "PROBE_SECONDS", 0.05)
    server.held.clear()
    with pytest.raises(EmbedderDown, match=r"gave no answer within 0\.05 s"):
        embedder(server).embed("x")


def test_a_server_that_failed_is_left_alone_for_a_while(server, monkeypatch):
    asked = embedder(server)
    server.spoil = lambda status, content: (400, b"")
    for _ in range(3):
        with pytest.raises(EmbedderDown, match="HTTP 400"):
            asked.embed("x")
    assert server.texts() == [64]


def test_after_the_rest_it_is_asked_again(server, monkeypatch):
    monkeypatch.setattr(remote, "REST_SECONDS", 0.0)
    asked = embedder(server)
    server.spoil, sound = (lambda status, content: (400, b"")), server.spoil
    with pytest.raises(EmbedderDown):
        asked.embed("x")
    server.spoil = sound
    assert len(asked.embed("x")) == 256


def test_nobody_at_the_address_is_named(loopback):
    with pytest.raises(EmbedderDown, match=r"http://127\.0\.0\.1:9/api/embed cannot be reached \(.*refused"):
        RemoteEmbedder("ollama", Server("http://127.0.0.1:9", "m")).embed("x")


def test_a_proxy_in_the_environment_is_not_asked(server, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert len(embedder(server).embed("x")) == 256


@pytest.mark.parametrize("url", ["ftp://x", "127.0.0.1:80", "http://", "http://a:b@c", "http://a/?k=1", "http://a b", "http://a:99999"])
def test_an_address_that_is_none_is_refused_by_name(url):
    with pytest.raises(InvalidInput, match=r"^CLEW_EMBED_URL: ") as refused:
        open_embedder("ollama", server=(url, "m", ""))
    assert "a:b" not in str(refused.value)


def test_what_is_missing_is_named():
    with pytest.raises(InvalidInput, match=r"^CLEW_EMBED_MODEL: "):
        open_embedder("ollama")
    with pytest.raises(InvalidInput, match=r"^CLEW_EMBED_URL: is not set"):
        open_embedder("openai-compatible", server=("", "m", ""))


def test_a_key_that_would_break_a_header_is_refused_and_not_repeated():
    with pytest.raises(InvalidInput, match=r"^CLEW_EMBED_KEY: ") as refused:
        open_embedder("ollama", server=("", "m", "secret\nX-Other: 1"))
    assert "secret" not in str(refused.value)


def test_few_components_stay_and_many_are_folded_with_their_length_kept():
    assert folded([1.0, 2.0]) == [1.0, 2.0, *[0.0] * 254]
    row = vector("a text of some words that fill the vector well enough", 1024)
    assert len(folded(row)) == 256
    assert sum(x * x for x in folded(row)) == pytest.approx(sum(x * x for x in row), rel=0.25)
    assert json.dumps(folded([1.0] * 512)[:4]) == "[0.0, 2.0, 2.0, 0.0]"
