"""Compiling through the service: originals come back byte for byte, figures add up exactly, memories come in, nothing secret is written."""

import os
from base64 import b64encode

import pytest

from clew import Clew
from clew.errors import InvalidInput, NotFound

WORDS = ("river", "engine", "window", "garden", "letter", "market", "silver", "valley", "winter", "yellow")
FILLER = "".join(f"The {WORDS[n % 10]} near the {WORDS[n // 10 % 10]} was {WORDS[n // 3 % 10]} in those {n} days.\n\n" for n in range(300))
KEY = "AKIA" + "Q7WE3RT5YU2IO6PA"


def cut(clew, text=FILLER, **how):
    return clew.compile_context("nothing", token_budget=300, fragments=[{"content": text}], **how)


def test_what_was_left_out_comes_back_byte_for_byte(clew):
    compiled = cut(clew)
    (handle,) = compiled.decisions[0].handles
    assert clew.retrieve_source(handle).bytes.decode() == FILLER
    assert clew.retrieve_source(handle[:10]).bytes.decode() == FILLER
    assert clew.retrieve_source(handle.removeprefix("src:").upper()).handle == handle


def test_another_process_gets_it_too(clew, clock, tmp_path):
    (handle,) = cut(clew).decisions[0].handles
    with Clew(str(tmp_path / "db" / "memory.db"), root=str(tmp_path), embed="off", clock=clock) as other:
        assert other.retrieve_source(handle).bytes.decode() == FILLER


def test_a_secret_in_an_original_never_touches_the_disk_and_the_answer_says_so(clew, tmp_path):
    compiled = cut(clew, FILLER + f"key = {KEY}\n")
    assert any("aws-key" in warning and "not byte for byte" in warning for warning in compiled.warnings)
    assert KEY not in clew.retrieve_source(compiled.decisions[0].handles[0]).bytes.decode()
    files = [tmp_path / "db" / name for name in os.listdir(tmp_path / "db") if name.startswith("memory.db")]
    assert all(KEY.encode() not in file.read_bytes() for file in files)


def test_a_source_goes_when_its_time_is_over(clew, clock):
    (handle,) = cut(clew, policy={"source_ttl_seconds": 60}).decisions[0].handles
    clock.at += 60
    with pytest.raises(NotFound, match="ran out"):
        clew.retrieve_source(handle)
    assert clew.prune_sources() == {"sources": 1, "bytes": len(FILLER)}
    with pytest.raises(NotFound, match="never kept here, or was pruned"):
        clew.retrieve_source(handle)


def test_pruning_by_age_leaves_what_is_younger(clew, clock):
    cut(clew)
    clock.at += 100
    (young,) = cut(clew, FILLER + "and one more\n").decisions[0].handles
    assert clew.prune_sources(older_than=50)["sources"] == 1
    assert clew.retrieve_source(young)
    with pytest.raises(InvalidInput, match="older_than"):
        clew.prune_sources(older_than=-1)


@pytest.mark.parametrize("handle", ["", "src:", "src:abc", "src:xyzxyz", "src:" + "a" * 33, "../../etc", "💥"])
def test_what_is_no_handle_is_refused_with_its_form(clew, handle):
    with pytest.raises(InvalidInput, match="handle"):
        clew.retrieve_source(handle)


def test_nothing_is_kept_where_the_policy_says_so(clew):
    compiled = cut(clew, policy={"store_sources": False, "record_events": False})
    with pytest.raises(NotFound):
        clew.retrieve_source(compiled.decisions[0].handles[0])
    assert clew.savings()["compilations"] == 0


def test_savings_are_exact_sums_over_every_compilation(clew):
    compiled = [cut(clew), clew.compile_context(token_budget=9_000, fragments=[{"content": FILLER}, {"content": FILLER}])]
    sums = clew.savings()
    assert sums["compilations"] == 2
    for name in ("tokens_in", "tokens_out", "saved", "externalised", "lost"):
        assert sums[name] == sum(getattr(c.account, name) for c in compiled)
    assert sums["saved_share"] == round(sums["saved"] / sums["tokens_in"], 4)
    assert clew.savings(project="*")["compilations"] == 2


def test_savings_of_nothing_are_nothing(clew):
    sums = clew.savings()
    assert (sums["compilations"], sums["tokens_in"], sums["saved_share"]) == (0, 0, None)


def test_memories_come_in_as_quoted_records_and_count_as_fragments(clew):
    made = clew.remember("The ledger runs on PostgreSQL", kind="decision", detail="MongoDB lost <writes> under load").memory
    clew.remember("Deploys go out on Tuesdays")
    compiled = clew.compile_context("which database runs the ledger?", memory_scope={"project": clew.project().name, "k": 3})
    assert f"#{made.id} decision (python): The ledger runs on PostgreSQL" in compiled.content
    assert "‹writes›" in compiled.content
    assert [d.id for d in compiled.decisions] == [made.id]


def test_the_project_of_a_request_is_where_its_memories_come_from_and_its_figures_go(clew):
    clew.remember("The ledger runs on PostgreSQL", project="till")
    question = "which database runs the ledger?"
    compiled = clew.compile_context(question, memory_scope={"k": 3}, project="till")
    assert "PostgreSQL" in compiled.content
    assert (clew.savings(project="till")["compilations"], clew.savings()["compilations"]) == (1, 0)
    request = {"query": question, "memory_scope": {}}
    told = [
        clew.explain_compilation(request, fragment_index=0, project="till"),
        clew.explain_compilation(request | {"project": "till"}, fragment_index=0),
    ]
    assert [one.decision.id for one in told] == [1, 1]
    with pytest.raises(InvalidInput, match=r"^memory_scope\.project: "):
        clew.compile_context(question, memory_scope={})


def test_what_has_no_budget_is_fitted_to_the_window_of_its_model(clew):
    text = "".join(f"line {n} of a long account of the voyage\n" for n in range(20_000))
    whole, fitted = (clew.compile_context("voyage", fragments=[{"content": text}], model=model) for model in (None, "gpt-4o"))
    assert whole.content == text
    assert fitted.account.tokens_out <= clew.suggest_budget("gpt-4o").budget < whole.account.tokens_out


@pytest.mark.parametrize("number", [5, 2**70, True, "5"])
def test_a_key_of_the_callers_metadata_makes_no_fragment_a_memory(clew, number):
    fragment = {"content": FILLER, "kind": "memory", "metadata": {"memory": number}}
    compiled = clew.compile_context("nothing", token_budget=300, fragments=[fragment])
    assert clew.retrieve_source(compiled.decisions[0].handles[0]).bytes.decode() == FILLER


def test_a_key_of_a_memorys_metadata_does_not_move_it_into_the_cache_section(clew):
    clew.remember("The ledger runs on PostgreSQL", metadata={"cache": True})
    compiled = clew.compile_context("which database runs the ledger?", memory_scope={"project": clew.project().name})
    assert (compiled.cache_chars, [d.section for d in compiled.decisions]) == (0, ["body"])


def test_an_attachment_that_calls_itself_text_and_is_not_utf_8_comes_back_byte_for_byte(clew):
    media = {"mime": "text/plain", "bytes_b64": b64encode(b"\xff\xfe caf\xe9 \x80").decode()}
    compiled = clew.compile_context("nothing", token_budget=1, fragments=[{"content": "", "media": media}])
    assert clew.retrieve_source(compiled.decisions[0].handles[0]).bytes == b"\xff\xfe caf\xe9 \x80"


@pytest.mark.parametrize("mime", ["application/json", "image/svg+xml", "text/plain"])
def test_a_secret_in_an_attachment_of_text_is_taken_out_whatever_its_type(clew, mime):
    media = {"mime": mime, "bytes_b64": b64encode(f'{{"key": "{KEY}"}}'.encode()).decode()}
    compiled = clew.compile_context("nothing", token_budget=1, fragments=[{"content": "", "media": media}])
    assert KEY.encode() not in clew.retrieve_source(compiled.decisions[0].handles[0]).bytes
    assert any("aws-key" in warning for warning in compiled.warnings)


def test_a_walk_brings_in_what_the_memories_are_linked_to(clew):
    reason = clew.remember("Ticket 41: nightly totals were wrong").memory
    clew.remember("The ledger runs on PostgreSQL", kind="decision", because=reason.id)
    scope = {"project": clew.project().name, "k": 5}
    plain = clew.compile_context("what does the ledger run on", memory_scope={**scope, "max_hops": 0})
    walked = clew.compile_context("what does the ledger run on", memory_scope={**scope, "max_hops": 2})
    assert "Ticket 41" not in plain.content
    assert "Ticket 41" in walked.content


def test_a_walk_brings_in_nothing_that_was_replaced_and_takes_a_number_for_a_word(clew):
    old = clew.remember("The ledger runs on MySQL", kind="decision").memory
    new = clew.remember("The ledger runs on PostgreSQL", kind="decision").memory
    clew.supersede(old.id, new.id, reason="lost writes")
    scope = {"project": clew.project().name, "k": 5, "max_hops": 2}
    walked = clew.compile_context("what does the ledger run on", memory_scope=scope)
    assert ("PostgreSQL" in walked.content, "MySQL" in walked.content) == (True, False)
    assert clew.compile_context(str(old.id), memory_scope=scope).content == ""


def test_forgetting_a_memory_takes_its_source_along(clew):
    made = clew.remember("The plan", detail=FILLER).memory
    compiled = clew.compile_context("plan", token_budget=100, memory_scope={"project": clew.project().name})
    (handle,) = compiled.decisions[0].handles
    assert clew.retrieve_source(handle)
    clew.forget(made.id)
    with pytest.raises(NotFound):
        clew.retrieve_source(handle)


def test_the_same_request_gives_the_same_bytes_and_keeps_its_sources_once(clew):
    first, second = cut(clew), cut(clew)
    assert first == second
    assert clew.prune_sources(older_than=0)["sources"] == 0  # put at this very moment
    assert len(clew.retrieve_source(first.decisions[0].handles[0]).bytes) == len(FILLER)


def test_a_store_that_cannot_be_written_still_compiles_and_warns(clew, clock, tmp_path):
    with Clew(str(tmp_path / "db" / "memory.db"), root=str(tmp_path), embed="off", clock=clock, read_only=True) as reader:
        compiled = cut(reader)
    assert compiled.content
    assert "nothing of this is kept" in compiled.warnings[-1]


def test_explaining_keeps_nothing(clew):
    request = {"token_budget": 300, "fragments": [{"id": 1, "content": FILLER}]}
    assert clew.explain_compilation(request, fragment_id=1).decision.rule == "budget.externalize"
    assert clew.savings()["compilations"] == 0


def test_a_working_context_is_loaded_as_it_was_saved_with_its_age(clew, clock):
    saved = clew.save_working_context({"goal": "ship it", "decisions": ["use WAL"]}, session="s1")
    clock.at += 90
    loaded = clew.load_working_context()
    assert loaded.context == saved.context
    assert (loaded.age, loaded.session, loaded.origin) == (90.0, "s1", "python")


def test_saving_again_keeps_the_history(clew):
    for goal in ("one", "two"):
        clew.save_working_context({"goal": goal}, session="s1")
    clew.save_working_context({"goal": "else"}, session="s2")
    assert clew.load_working_context(session="s1").context["goal"] == "two"
    assert [c.context["goal"] for c in clew.list_working_context(session="s1")] == ["two", "one"]
    assert [c.context["goal"] for c in clew.list_working_context(limit=2)] == ["else", "two"]


def test_a_working_context_that_is_not_there_is_said_so(clew):
    with pytest.raises(NotFound, match="no working context"):
        clew.load_working_context(session="s9")
    with pytest.raises(InvalidInput, match="limit"):
        clew.list_working_context(limit=0)
    with pytest.raises(InvalidInput, match="session"):
        clew.save_working_context({"goal": "x"}, session="s" * 201)


def test_a_transcript_compiles_by_its_turns(clew):
    text = "User: where does the ledger live?\nAssistant: in services/ledger, on port 8443.\nUser: thanks\n"
    compiled = clew.compile_transcript(text, query="ledger port")
    assert "8443" in compiled.content
    assert len(compiled.decisions) == 3


def test_a_budget_is_suggested_for_a_known_model(clew):
    assert clew.suggest_budget("claude-opus-5-5").budget > 500_000
    assert clew.suggest_budget("nobody-knows-1").budget is None
