"""The one error tree: raised low, translated once by each surface.

ClewError
├── InvalidInput        a field is missing, malformed or over a limit; nothing was written
├── NotFound            no such memory, project, source, …
├── MissingExtra        an optional dependency is needed; the message holds the install command
├── EmbedderMismatch    the store was filled by another embedder; the message holds the rebuild command
├── EmbedderDown        the model server of CLEW_EMBED gave no usable answer, and the verb cannot do without
└── StoreError          the store cannot serve
    ├── SchemaTooNew    written by a newer clew
    ├── StoreBusy       another process held the write lock for longer than the busy timeout
    ├── StoreFull       no space left (disk or quota); nothing of this verb was written
    ├── StoreReadOnly   the file or its folder cannot be written; recall still answers
    └── StoreDamaged    the file fails SQLite's own checks
"""

import errno

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # refusals that no other input mends


class ClewError(Exception):
    """Base of everything clew raises on purpose. `str(error)` is one paragraph fit for a user."""

    exit_code = 1


class InvalidInput(ClewError):
    """`field` names what is wrong; the text names the limit and the way out."""

    exit_code = 2

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


class NotFound(ClewError):
    """What was asked for by id, digest or name is not in the store. `way_out` names a command; a surface that has none says its own."""

    exit_code = 3

    def __init__(self, problem: str, way_out: str = "") -> None:
        super().__init__(f"{problem}; {way_out}" if way_out else problem)
        self.problem = problem
        self.way_out = way_out


class MissingExtra(ClewError):
    """An optional part is not installed."""

    exit_code = 4

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional part that is not installed: pip install 'clew[{extra}]'")
        self.extra = extra


class EmbedderMismatch(ClewError):
    """Vectors in the store come from another embedder than the one in use."""

    exit_code = 5

    def __init__(self, stored: str, current: str) -> None:
        super().__init__(
            f"this store's vectors were made by embedder '{stored}', this process uses '{current}'; "
            "rebuild them with `clew reindex`, or set CLEW_EMBED=off to search by words alone"
        )
        self.stored = stored
        self.current = current


class EmbedderDown(ClewError):
    """The model server that CLEW_EMBED asks gave no usable answer."""

    exit_code = 7

    def __init__(self, model: str, problem: str) -> None:
        super().__init__(f"embedder '{model}' is down: {problem}; words alone find memories until it answers")
        self.model = model
        self.problem = problem


class StoreError(ClewError):
    """The store cannot serve this request."""

    exit_code = 6


class SchemaTooNew(StoreError):
    """The file was written by a newer clew than this one."""


class StoreBusy(StoreError):
    """Another process held the write lock for longer than the busy timeout."""


class StoreFull(StoreError):
    """No space left on the disk or quota; the verb's transaction was rolled back whole."""


class StoreReadOnly(StoreError):
    """The store's file or folder cannot be written."""


class StoreDamaged(StoreError):
    """The file fails SQLite's own checks."""


def unwritable(field: str, problem: str, error: OSError) -> ClewError:
    """What to raise where the system refuses to write a file that somebody named: InvalidInput, or, where the disk is full or broken and
    the name is as good as any, a plain ClewError.
    """
    return ClewError(f"{field}: {problem}") if error.errno in _NO_ROOM else InvalidInput(field, problem)
