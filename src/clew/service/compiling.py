"""The verbs that fit context into a budget, give back what was left out, and count what that saved."""

from __future__ import annotations

from clew.errors import InvalidInput, NotFound
from clew.model import Filter
from clew.rules.intake import sound, whole
from clew.service.explaining import Explaining
from clew.service.remembering import Remembering

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from clew.compiler.explain import Explained
    from clew.compiler.values import Compiled, Request, Reranker, Source
    from clew.compiler.windows import Suggested
    from clew.model import Memory
    from clew.rules.contexts import WorkingContext

CONTEXTS, CONTEXTS_MOST = 20, 1_000  # working contexts a list shows, and how many it may be asked for


class Compiling(Explaining, Remembering):
    """compile_context, compile_transcript, explain_compilation, retrieve_source, savings, suggest_budget, prune_sources, and the verbs
    save_, load_ and list_working_context."""

    def compile_context(
        self,
        query: str = "",
        *,
        token_budget: int | None = None,
        fragments: Sequence[Mapping[str, Any]] = (),
        memory_scope: Mapping[str, Any] | None = None,
        policy: Mapping[str, Any] | None = None,
        counter: str = "heuristic",
        reranker: Reranker | None = None,
        model: str | None = None,
        project: str | None = None,
        session: str | None = None,
    ) -> Compiled:
        """Fit fragments into a token budget without a model; the same request over the same memories gives the same bytes.

        Fragments, scope and policy are mappings as docs/compiler.md has them; `token_budget` None is what suits the `model`, and without a
        known one nothing is cut. Tokens are those of
        `counter`: "heuristic", "cl100k" or "o200k". What is not emitted whole stays behind a handle for `retrieve_source`, and the figures
        are kept for `savings`, unless the policy says otherwise; where the store cannot be written a warning says so.
        Raises InvalidInput, MissingExtra, EmbedderMismatch, StoreError.
        """
        from clew.compiler.pipeline import compile_request
        from clew.compiler.tokens import counter as counting
        from clew.engines import compiling

        given = {"query": query, "token_budget": token_budget, "fragments": fragments, "memory_scope": memory_scope, "policy": policy}
        whole = self._whole(given | {"model": model, "project": project})
        compiled = compile_request(whole, counting(counter), reranker)
        if not compiling.keeps(whole, compiled):
            return compiled
        where, now = self._place(project), self._clock()
        return compiling.kept(self._store, whole, compiled, where=where, session=session, counter=counter, now=now)

    def compile_transcript(
        self,
        text: str,
        *,
        query: str = "",
        token_budget: int | None = None,
        policy: Mapping[str, Any] | None = None,
        counter: str = "heuristic",
        project: str | None = None,
        session: str | None = None,
    ) -> Compiled:
        """`compile_context` of a client's transcript: its text as the client keeps it, role/content lines, or plain "User: … Assistant: …".

        `token_budget` None cuts nothing. Raises what `compile_context` does.
        """
        from clew.compiler.transcript import fragments_of

        if not isinstance(text, str):
            raise InvalidInput("text", f"must be text, not {type(text).__name__}")
        found = fragments_of(text)
        return self.compile_context(
            query, fragments=found, token_budget=token_budget, policy=policy, counter=counter, project=project, session=session
        )

    def explain_compilation(
        self,
        request: Mapping[str, Any],
        *,
        fragment_id: int | str | None = None,
        fragment_index: int | None = None,
        counter: str = "heuristic",
        project: str | None = None,
    ) -> Explained:
        """What becomes of one fragment of a request and why: its decision, and what of it is emitted. Keeps nothing.

        `project` is the request's where it names none itself.

        Raises InvalidInput unless exactly one of id and index is given and names a fragment; MissingExtra, StoreError.
        """
        from clew.compiler.explain import explain
        from clew.compiler.tokens import counter as counting

        named = {"project": project, **request} if project is not None and isinstance(request, dict) else request
        return explain(self._whole(named), counting(counter), fragment_id=fragment_id, fragment_index=fragment_index)

    def retrieve_source(self, handle: str) -> Source:
        """The original behind a handle ("src:3f9a…", or the first six hex digits of it): its bytes and their type.

        Raises InvalidInput, NotFound for one that is not kept or whose time ran out.
        """
        from clew.compiler.values import Source
        from clew.engines import compiling

        found = compiling.original(self._store, sound(handle, "handle"), self._clock())
        return Source(found.handle, found.content, found.mime)

    def savings(self, *, project: str | None = None) -> dict[str, Any]:
        """Exact sums over every kept compilation of a project ("*" for all): tokens in, out, saved, externalised and lost, costs."""
        from clew.engines import compiling

        return compiling.summed(self._store.compilations(self._scope(project, user=False)))

    def suggest_budget(self, model: str, *, reserve: int | None = None, used: int = 0) -> Suggested:
        """How many tokens of context suit a model: its window less what the answer needs (`reserve`) and what is `used` already.

        Of an unknown model the budget is None and a note says so. Raises InvalidInput.
        """
        from clew.compiler.windows import suggest

        return suggest(sound(model, "model"), reserve=reserve, used=used)

    def save_working_context(self, context: Mapping[str, Any], *, session: str = "", project: str | None = None) -> WorkingContext:
        """Keep where a task stands beside what was saved before: goal, active_constraints, verified_facts, open_hypotheses, decisions,
        exact_evidence (handles), pending_actions. Secrets are taken out first. Raises InvalidInput, StoreError.
        """
        from clew.engines import compiling, projects
        from clew.rules import contexts

        text, _ = contexts.checked(context)
        now = self._clock()
        self._sweep_once(now)
        owner = projects.for_writing(self._store, self._place(project), now)
        number = compiling.save_context(self._store, owner, text, session=_session(session), origin=self._origin, now=now)
        return next(c for c in self._contexts(project, session, 1) if c.id == number)

    def load_working_context(self, *, session: str | None = None, project: str | None = None) -> WorkingContext:
        """The working context saved last, of one session or of any, with its age. Raises NotFound where there is none."""
        found = self._contexts(project, session, 1)
        if not found:
            whose = "" if session is None else f" for session '{session[:60]}'"
            raise NotFound(f"no working context was saved here{whose}; `save_working_context` keeps one")
        return found[0]

    def list_working_context(
        self, *, session: str | None = None, project: str | None = None, limit: int = CONTEXTS
    ) -> list[WorkingContext]:
        """The working contexts of a project, of one session or of all, newest first: what was saved over is there too."""
        return self._contexts(project, session, whole(limit, "limit", CONTEXTS_MOST))

    def prune_sources(self, *, older_than: float | None = None) -> dict[str, int]:
        """Drop sources whose time ran out, and with `older_than` (seconds) those put longer ago; how many "sources", and their "bytes"."""
        if older_than is not None and (not isinstance(older_than, int | float) or not 0 <= older_than < 1e12):
            raise InvalidInput("older_than", "must be a span of time, 0 seconds or more")
        from clew.engines import compiling

        return compiling.prune(self._store, self._clock(), older_than)

    def _whole(self, given: Mapping[str, Any]) -> Request:
        """A valid request, the memories that its scope asks for pulled in."""
        from clew.compiler.classify import RULE_IDS
        from clew.compiler.request import parse_request
        from clew.engines import compiling

        request = parse_request(given, RULE_IDS)
        scope = request.memory_scope
        if scope is None:
            return request
        return compiling.with_memories(request, self._pulled(request.query, scope.project, scope.k, scope.max_hops))

    def _pulled(self, query: str, project: str, k: int, max_hops: int | None) -> Sequence[Memory]:
        """The `k` memories that answer a query, by the whole recall; with `max_hops` as a walk that far from the best of them."""
        if not query.strip():
            return []
        hits = self.recall(query, project=project, limit=k, graph=max_hops is None)
        if not max_hops:
            return [hit.memory for hit in hits]
        from clew.engines import graph
        from clew.rules.trail import cut

        best = cut((hit.memory.id, hit.score) for hit in hits)
        trail = graph.why(self._store, best, self._scope(project), Filter(self._clock()), max_hops=max_hops, limit=k)
        return [node.memory for node in trail.nodes if node.memory is not None]

    def _contexts(self, project: str | None, session: str | None, limit: int) -> list[WorkingContext]:
        import json

        from clew.rules.contexts import WorkingContext

        now, scope = self._clock(), self._scope(project, user=False)
        found = self._store.contexts(scope, session=None if session is None else _session(session), limit=limit)
        return [WorkingContext(c.id, c.session, c.origin, c.at, max(0.0, now - c.at), json.loads(c.content)) for c in found]


def _session(name: str) -> str:
    if len(sound(name, "session")) > 200 or "\0" in name:
        raise InvalidInput("session", "a session's name has at most 200 characters, none of them NUL")
    return name
