"""Does recall bring back the memories that answer a question?

Question: how often are the memories that answer among the first five or ten, by words, by meaning, and by both?
Method: every document of a set becomes a memory (title the summary, text the detail) in one store, a project per `scope`; each question
goes through `Clew.recall` as a user's would, relevance floor included, so a question that is answered with nothing counts as a miss.
Arms: `lexical` without the embedder; `semantic`, the candidates of both searches by cosine alone; `fused`, both searches and no more
(graph off, no times); `rrf`, the same by reciprocal rank with constant 60; `time`, fused with the times a question names (graph off); `no
time`, over the names and links that rules find but without those times; `rules graph`, recall as it is by default, with both; `rerank`,
the same with the word of the quality tier's cross-encoder added; `typed links`, `rules graph` once the links of `edges.jsonl` {src, dst,
relation} are made, where a set has them. So the graph brings what `rules graph` has over `time`, the times what it has over `no time`.
Every arm reads the same store; `rerank` is measured only when named. Figures carry 95 % bootstrap intervals over questions with a fixed
seed; with `type` (a question's) recall@5 and full@5 are told apart, `stale_above_live` is the share where a replaced memory comes first.
A set is a folder with `corpus.jsonl` {id, text, title?, meta?} and `queries.jsonl` {id, query, gold, type?, scope?, pool?, stale?,
gold_sessions?}; `offtopic.jsonl` in the same form, gold empty, counts what should have been refused. A turn's place is its position in
the corpus among those of its session. `pool` gives a second table, `distractor`: the same answers with all but the pool left out.
Limits: texts that are equal inside a scope are one memory and count as one; gold judgements are incomplete in most sets; the
constants of the fusion were chosen on development splits, so only held-back splits tell how well it does elsewhere; `semantic` and
`distractor` see the some 600 candidates that the searches bring, not every memory.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks import metrics
from benchmarks.report import commit, machine, write
from clew import Clew, Draft, Source
from clew.embed import open_judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

# How recall is asked in each arm; "typed links" comes last, since it adds to the store.
ARMS: dict[str, dict[str, Any]] = {
    "lexical": {"graph": False, "dated": False},
    "semantic": {"graph": False, "dated": False},
    "fused": {"graph": False, "dated": False},
    "rrf": {"graph": False, "dated": False, "fusion": "rrf"},
    "time": {"graph": False},
    "no time": {"dated": False},
    "rules graph": {},
    "rerank": {},
    "typed links": {},
}
ASKED_FOR = ("rerank",)  # arms that take a second a question, and clew[quality]: only by name
DEEP = 1000  # hits asked for where an answer is filtered or ordered anew
ONE_LINE = 500  # characters of an untitled text that is a summary by itself
FIRST_LINE = 200  # characters of a longer one's first line that may be
SURE = (0.5, 0.8, 1.0)  # points of the abstention curve: share of the answers kept, the surest first
BATCH = 2000
WIDE = 140  # columns of a table in a file


class Answer(NamedTuple):
    """What one arm said to one question: memories best first and the best one's score (-inf for silence)."""

    ranked: list[int]
    confidence: float


class Filled(NamedTuple):
    """A store with a set in it: memory and session of each document, project of each scope."""

    path: str
    memory: dict[str, int]
    session: dict[int, str]
    project: dict[str, str]


def read(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON-lines file, none when it is missing. Ends the program with the line that is no object."""
    lines = path.read_bytes().split(b"\n") if path.exists() else []  # a text may hold what str.splitlines takes for the end of a line
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found += [json.loads(line)] if line.strip() else []
        except ValueError as error:
            raise SystemExit(f"{path}, line {number}: {error}") from None
    return found


def drafts(corpus: Sequence[dict[str, Any]]) -> Iterable[tuple[str, str, Draft]]:
    """(document id, scope, memory) of each document, turns counted inside their session."""
    places: dict[tuple[str, str], int] = {}
    for document in corpus:
        meta = document.get("meta") or {}
        scope, session = str(meta.get("scope", "")), meta.get("session")
        source = Source()
        if session is not None:
            turn = places[scope, str(session)] = places.get((scope, str(session)), -1) + 1
            source = Source(session=str(session), turn=turn)
        summary, detail = halves(document.get("title") or "", document["text"])
        yield document["id"], scope, Draft(summary, detail=detail, source=source)


def halves(title: str, text: str) -> tuple[str, str]:
    """(summary, detail): the title and the text, or a short text alone, or its first line and the rest."""
    heading = " ".join(title.split())
    if heading:
        return (heading, text) if len(heading) <= ONE_LINE else (heading[:FIRST_LINE], f"{heading}\n{text}")
    if "\n" not in text and len(text) <= ONE_LINE:
        return text.strip() or "(empty)", ""
    first, _, rest = text.strip().partition("\n")
    if len(first) > FIRST_LINE:
        return first[:FIRST_LINE], text.strip()[FIRST_LINE:]
    return first, rest


def fill(path: str, corpus: Sequence[dict[str, Any]], console: Console) -> Filled:
    """Remember every document of `corpus` in the store at `path`, a project a scope."""
    by_scope: dict[str, list[tuple[str, Draft]]] = {}
    for identity, scope, draft in drafts(corpus):
        by_scope.setdefault(scope, []).append((identity, draft))
    memory: dict[str, int] = {}
    session: dict[int, str] = {}
    project = {scope: f"scope {place}" for place, scope in enumerate(by_scope)}
    with Clew(path, embed="static") as clew:
        for scope, documents in track(by_scope.items(), "remember", console=console, transient=True):
            for start in range(0, len(documents), BATCH):
                batch = documents[start : start + BATCH]
                kept = clew.remember_many([draft for _, draft in batch], project=project[scope])
                for (identity, draft), done in zip(batch, kept, strict=True):
                    memory[identity] = done.memory.id
                    session.setdefault(done.memory.id, f"{scope}/{draft.source.session}")
    return Filled(path, memory, session, project)


def join(store: Filled, edges: Sequence[dict[str, Any]]) -> int:
    """Link the memories of a set as its authors did; how many links were made."""
    ends = [(store.memory.get(e["src"]), e["relation"].replace("-", "_"), store.memory.get(e["dst"])) for e in edges]
    with Clew(store.path, embed="off") as clew:
        return sum(clew.link(src, relation, dst) for src, relation, dst in ends if src and dst and src != dst)


def answer(clew: Clew, arm: str, question: str, project: str, limit: int) -> Answer:
    """One arm's answer; `clew` is open without embedder for `lexical`."""
    if arm == "semantic":
        hits = [h for h in clew.recall(question, project=project, limit=DEEP, **ARMS[arm]) if h.signals.semantic is not None]
        hits.sort(key=lambda h: (-(h.signals.semantic or 0.0), h.memory.id))
        hits = hits[:limit]
    else:
        hits = clew.recall(question, project=project, limit=limit, **ARMS[arm])
    return Answer([h.memory.id for h in hits], hits[0].score if hits else float("-inf"))


def ask(store: Filled, arm: str, queries: Sequence[dict[str, Any]], console: Console) -> list[Answer]:
    """One arm's answers to all questions."""
    everywhere = next(iter(store.project.values()))
    if arm == "rerank":
        open_judge()  # says what is not installed
    embed = {"lexical": "off", "rerank": "quality"}.get(arm, "static")
    with Clew(store.path, embed=embed, read_only=arm == "rerank") as clew:  # read only, no vector changes meanwhile
        return [
            answer(clew, arm, q["query"], store.project.get(str(q.get("scope", "")), everywhere), DEEP if "pool" in q else 10)
            for q in track(queries, arm, console=console, transient=True)
        ]


def figures(store: Filled, queries: Sequence[dict[str, Any]], answers: Sequence[Answer]) -> dict[str, list[float]]:
    """Each metric's value for each question it is defined for."""
    values: dict[str, list[float]] = {}
    for query, said in zip(queries, answers, strict=True):
        gold = {store.memory[g] for g in query["gold"] if g in store.memory}
        if not gold:
            continue
        ranked = said.ranked
        found = {
            "recall@5": metrics.recall(ranked, gold, 5),
            "recall@10": metrics.recall(ranked, gold, 10),
            "hit@5": metrics.hit(ranked, gold, 5),
            "full@5": metrics.full(ranked, gold, 5),
            "mrr@10": metrics.reciprocal_rank(ranked, gold),
            "ndcg@10": metrics.ndcg(ranked, gold, 10),
            "answered": float(bool(ranked)),
        }
        if query.get("type"):
            found |= {f"{name} {query['type']}": found[name] for name in ("recall@5", "full@5")}
        if query.get("stale"):
            found["stale_above_live"] = metrics.above(ranked, {store.memory[s] for s in query["stale"] if s in store.memory}, gold)
        if query.get("gold_sessions"):
            golden = {f"{query.get('scope', '')}/{s}" for s in query["gold_sessions"]}
            found["session_hit@5"] = metrics.hit(metrics.distinct([store.session[i] for i in ranked]), golden, 5)
        for name, value in found.items():
            values.setdefault(name, []).append(value)
    return values


def curve(store: Filled, queries: Sequence[dict[str, Any]], answers: Sequence[Answer]) -> dict[str, float]:
    """The abstention curve: share of right first hits among the surest answers."""
    said = [
        (a.confidence, float(a.ranked[0] in {store.memory.get(g) for g in q["gold"]}))
        for q, a in zip(queries, answers, strict=True)
        if a.ranked
    ]
    confidences, right = [c for c, _ in said], [r for _, r in said]
    return {f"right_first@{share:.0%}_surest": metrics.selective_accuracy(confidences, right, share) for share in SURE}


def in_pool(store: Filled, queries: Sequence[dict[str, Any]], answers: Sequence[Answer]) -> list[Answer]:
    """The answers with every memory outside the question's pool left out."""
    pools = [{store.memory[i] for i in q["pool"] if i in store.memory} for q in queries]
    return [Answer([i for i in a.ranked if i in pool], a.confidence) for a, pool in zip(answers, pools, strict=True)]


def summed(values: dict[str, list[float]]) -> dict[str, float]:
    """Mean, low and high of each metric, flat."""
    flat: dict[str, float] = {}
    for name, sample in values.items():
        flat[name], flat[f"{name}_low"], flat[f"{name}_high"] = (round(v, 4) for v in metrics.interval(sample))
    return flat


def measure(folder: Path, arms: Sequence[str], console: Console) -> list[dict[str, Any]]:
    """The results of one set: one object, two where the questions have pools."""
    queries, strangers = read(folder / "queries.jsonl"), read(folder / "offtopic.jsonl")
    pooled = [i for i, q in enumerate(queries) if q.get("pool")]
    results: dict[str, dict[str, dict[str, float]]] = {folder.name: {}, f"{folder.name} distractor": {}}
    with tempfile.TemporaryDirectory() as scratch:
        store = fill(str(Path(scratch) / "memory.db"), read(folder / "corpus.jsonl"), console)
        edges = read(folder / "edges.jsonl")
        for arm in sorted(arms, key=list(ARMS).index):
            if arm == "typed links" and not join(store, edges):
                continue
            answers = ask(store, arm, [*queries, *strangers], console)
            known, strange = answers[: len(queries)], answers[len(queries) :]
            figured = summed(figures(store, queries, known)) | {k: round(v, 4) for k, v in curve(store, queries, known).items()}
            if strangers:
                figured["offtopic_answered"] = round(sum(bool(a.ranked) for a in strange) / len(strange), 4)
            results[folder.name][arm] = figured
            if pooled:
                some = [queries[i] for i in pooled]
                results[f"{folder.name} distractor"][arm] = summed(figures(store, some, in_pool(store, some, [known[i] for i in pooled])))
    head = {"bench": "retrieval", "commit": commit(), "machine": machine()}
    return [head | {"data": data, "n": len(queries), "arms": by_arm} for data, by_arm in results.items() if by_arm]


def show(result: dict[str, Any], console: Console) -> None:
    """One result as a table: a metric a row, an arm a column."""
    arms = result["arms"]
    names = list(dict.fromkeys(name for figured in arms.values() for name in figured if not name.endswith(("_low", "_high"))))
    table = Table(title=f"{result['data']} · {result['n']} questions", title_justify="left")
    table.add_column("")
    for arm in arms:
        table.add_column(arm, justify="right")
    for name in names:
        table.add_row(name, *(f"{figured[name]:.3f}" if name in figured else "" for figured in arms.values()))
    console.print(table)


def sets(folder: Path) -> list[Path]:
    """The folder itself when it is a set, else the sets inside it."""
    holds: Callable[[Path], bool] = lambda f: (f / "corpus.jsonl").exists() and (f / "queries.jsonl").exists()  # noqa: E731
    return [folder] if holds(folder) else sorted(f for f in folder.iterdir() if f.is_dir() and holds(f))


def main() -> None:
    """Measure every set of the folder and print, and write, what came out."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.retrieval", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="a set, or a folder of sets")
    parser.add_argument("--json", type=Path, help="write the results to this file")
    usual = ",".join(arm for arm in ARMS if arm not in ASKED_FOR)
    parser.add_argument("--arms", default=usual, help=f"comma-separated, of {', '.join(ARMS)}")
    options = parser.parse_args()
    arms = [arm for arm in options.arms.split(",") if arm]
    if unknown := set(arms) - set(ARMS):
        parser.error(f"no such arm: {', '.join(sorted(unknown))}")
    found = sets(options.folder) if options.folder.is_dir() else []
    if not found:
        parser.error(f"no set in {options.folder}: corpus.jsonl and queries.jsonl are looked for")
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDE)
    results = []
    for folder in found:
        for result in measure(folder, arms, console):
            show(result, console)
            results.append(result)
    if options.json:
        write(options.json, results)


if __name__ == "__main__":
    main()
