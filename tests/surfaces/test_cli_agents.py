"""`clew context` and `clew resume`: a person sees what an agent would be given, and says where to go on."""


def test_context_prints_what_an_agent_is_given(clew):
    clew.ok("remember", "We chose SQLite over Postgres", "-k", "decision")
    assert "We chose SQLite over Postgres" in clew.ok("context").out
    answer = clew.ok("context", "--json").json
    assert (answer["ids"], answer["left_out"]) == ([1], 0)
    assert answer["text"].endswith("</clew-memory>")


def test_a_budget_holds_and_one_out_of_bounds_is_refused(clew):
    for n in range(30):
        clew.ok("remember", f"fact number {n} " + "words " * 40)
    answer = clew.ok("context", "--budget", "600", "--json").json
    assert 0 < len(answer["text"]) <= 600
    assert answer["left_out"] > 0
    refused = clew("context", "--budget", "3")
    assert refused.code == 2
    assert "budget" in refused.err


def test_nothing_known_is_said_in_words(clew):
    assert clew.ok("context").out.strip() == "nothing to say yet"
    assert clew.ok("resume").out.strip() == "nothing is open"


def test_pointers_lead_the_next_session_until_they_are_done(clew):
    clew.ok("resume", "next:", "write the parser")
    clew.ok("resume", "next: write the tests")
    pointers = clew.ok("resume", "--json").json["pointers"]
    assert [p["summary"] for p in pointers] == ["next: write the tests", "next: write the parser"]
    pack = clew.ok("context").out
    assert pack.index("## Resume here") < pack.index("write the tests") < pack.index("write the parser")
    assert "write the tests" not in clew.ok("resume", "--done", str(pointers[0]["id"])).out
    assert "write the tests" not in clew.ok("context").out


def test_only_a_pointer_is_ended_as_one(clew):
    clew.ok("remember", "Use PostgreSQL", "-k", "decision")
    clew.ok("resume", "next: the tests")
    refused = clew("resume", "--done", 1)
    assert (refused.code, refused.err) == (
        2,
        "clew: done: #1 is no resume pointer: `resume` lists them, `done` is for other memories\n",
    )
    assert clew.ok("show", 1, "--json").json["memory"]["status"] == "active"
    for _ in range(2):
        assert clew.ok("resume", "--done", 2).out == "nothing is open\n"
