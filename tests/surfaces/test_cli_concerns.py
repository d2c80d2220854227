"""What `clew remember` says about a memory that repeats or contradicts another, to a person and to a program."""


def test_a_contradiction_is_shown_with_the_command_that_settles_it(clew):
    clew.ok("remember", "The API rate limit is 100 requests per minute")
    said = clew.ok("remember", "The API rate limit is 200 requests per minute")
    assert said.out.splitlines() == [
        "remembered #2 in somewhere",
        "contradicts #1 (changed value): “The API rate limit is 100 requests per minute” — "
        'clew supersede 1 2 --reason "…"',
    ]  # fmt: skip
    assert said.err == ""


def test_a_repetition_is_shown_with_its_number(clew):
    clew.ok("remember", "Use PostgreSQL for the ledger")
    said = clew.ok("remember", "We decided to use PostgreSQL for the ledger").out
    assert said.splitlines()[1:] == ["#1 may already say this: “Use PostgreSQL for the ledger”"]


def test_a_program_gets_the_same_as_fields(clew):
    clew.ok("remember", "Use Redis for caching")
    said = clew.ok("remember", "Use Memcached for caching", "--json").json
    assert said["concerns"] == [{"kind": "contradiction", "id": 1, "why": "swapped choice", "summary": "Use Redis for caching"}]


def test_what_is_superseded_in_the_same_breath_is_not_complained_about(clew):
    clew.ok("remember", "Use Redis for caching")
    said = clew.ok("remember", "Use Memcached for caching", "--supersedes", 1, "--reason", "licence").out
    assert said == "remembered #2 in somewhere\n#1 is superseded by #2\n"


def test_the_other_memorys_text_cannot_paint_the_terminal(clew):
    clew.ok("import", "jsonl", stdin='{"summary": "Use \\u202eRedis for caching"}\n')
    said = clew.ok("remember", "Use Memcached for caching")
    assert "\u202e" not in said.out
