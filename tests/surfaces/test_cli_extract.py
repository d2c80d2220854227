"""`clew extract` as a person runs it: from a file, from standard input, and with a model that is not there."""

NOTES = "We decided to use PostgreSQL because MongoDB lost writes under load. Maybe we shard later.\n\nNever log request bodies.\n"


def test_a_file_becomes_memories_that_know_where_they_came_from(clew):
    (clew.cwd / "notes.md").write_text(NOTES)
    said = clew.ok("extract", "notes.md", "-t", "ledger")
    assert said.out.splitlines() == [
        "#1 decision: We decided to use PostgreSQL",
        "#2 fact: MongoDB lost writes under load",
        "#3 decision: Never log request bodies",
    ]
    memory = clew.ok("show", 1, "--json").json["memory"]
    assert (memory["source"]["file"], memory["tags"], memory["metadata"]) == ("notes.md", ["ledger"], {"extracted_by": "rules"})


def test_the_reason_is_on_the_trail(clew):
    clew.ok("extract", stdin=NOTES)
    assert "MongoDB lost writes under load" in clew.ok("why", 1).out


def test_a_text_without_anything_to_keep_says_so(clew):
    assert clew.ok("extract", "-", stdin="Shall we? Thanks!").out == "nothing in this text is worth remembering by itself\n"


def test_a_program_gets_an_answer_for_each_memory(clew):
    said = clew.ok("extract", "--json", stdin=NOTES).json
    assert [one["memory"]["id"] for one in said["remembered"]] == [1, 2, 3]
    assert said["notes"] == []


def test_what_contradicts_is_said(clew):
    clew.ok("remember", "Log request bodies")
    assert "contradicts #1 (negation)" in clew.ok("extract", stdin="Never log request bodies.").out


def test_a_model_that_is_not_there_is_noted_and_the_rules_do_the_work(clew):
    env = {"CLEW_EXTRACTOR": "ollama", "CLEW_EXTRACTOR_URL": "http://127.0.0.1:9", "CLEW_EXTRACTOR_MODEL": "small:7b"}
    said = clew.ok("extract", stdin=NOTES, env=env)
    assert "#1 decision: We decided to use PostgreSQL" in said.out
    assert "so the rules read the text instead" in said.err


def test_settings_that_cannot_be_are_named(clew):
    run = clew("extract", stdin=NOTES, env={"CLEW_EXTRACTOR": "ollama"})
    assert (run.code, "CLEW_EXTRACTOR_MODEL" in run.err) == (2, True)


def test_what_is_no_text_is_refused(clew):
    (clew.cwd / "notes.bin").write_bytes(b"\xff\xfe\x00")
    assert "is not UTF-8" in clew("extract", "notes.bin").err
    assert clew("extract", "nowhere.md").code == 2
    assert clew("extract", stdin="").code == 2
