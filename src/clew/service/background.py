"""Work for a quiet moment: in a process that lives on, a thread has the quality tier's reader go through what is new.

The thread lives while there is something to read. Each step is one transaction that names how far it came, so a process that is killed, or
a second one at the same work, loses nothing and does nothing twice.
"""

from __future__ import annotations

from threading import Event, Lock, Thread, main_thread

from clew.engines import deepening
from clew.errors import ClewError, InvalidInput, MissingExtra, StoreError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clew.embed import Embedder
    from clew.store.base import Store

QUIET = 0.05  # seconds without a verb before the next text is read: at most half of one processor goes into it


class Background:
    """The thread and what wakes and stops it. `open_reader` is called in the thread: it loads the transformer."""

    def __init__(self, store: Store, open_reader: Callable[[], Embedder], quiet: float = QUIET) -> None:
        self._store, self._open_reader, self._quiet = store, open_reader, quiet
        self._stop, self._lock = Event(), Lock()
        self._thread: Thread | None = None
        self._asked = 0  # verbs so far
        self._hopeless = False

    def wake(self) -> None:
        """A verb was carried out: what it left to be read will be, once no more verbs come."""
        self._asked += 1
        with self._lock:
            running = self._thread is not None and self._thread.is_alive()
            ending = self._stop.is_set() or not main_thread().is_alive()  # a program that ends can start no thread
            if not running and not self._hopeless and not ending and self._behind():
                self._thread = Thread(target=self._run, name="clew reads")
                self._thread.start()

    def _behind(self) -> bool:
        try:
            return deepening.behind(self._store)
        except StoreError:  # not for the verb that went well to say
            return False

    def wait(self) -> None:
        """Until everything is read, or it turned out that it cannot be."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def stop(self) -> None:
        """Leave the rest for later; what is being read is dropped. Returns once the thread has let go of the store."""
        self._stop.set()
        self.wait()

    def _run(self) -> None:
        try:
            self._pause()
            reader = _Paced(self._open_reader(), self._pause)
            while deepening.catch_up(self._store, reader, [p.id for p in self._store.projects()]):
                pass
        except _Stopped:
            return
        except (MissingExtra, InvalidInput):  # not installed, or another model than ours: it will be so until the process ends
            self._hopeless = True
        except (ClewError, OSError):
            return  # the store is busy or broken; the verbs say so, and the next of them wakes us again

    def _pause(self) -> None:
        """Wait until nothing was asked for a moment. Raises _Stopped when the store, or the program, is about to close."""
        while True:
            asked = self._asked
            if self._stop.wait(self._quiet) or not main_thread().is_alive():
                raise _Stopped
            if asked == self._asked:
                return


class _Stopped(Exception):
    """Ends the thread; never leaves it."""


class _Paced:
    """The reader, text by text, with a pause before each."""

    def __init__(self, reader: Embedder, pause: Callable[[], None]) -> None:
        self.name, self.dim, self.fingerprint, self.slack = reader.name, reader.dim, reader.fingerprint, reader.slack
        self._reader, self._pause = reader, pause

    def embed(self, text: str) -> bytes:
        """As Embedder.embed."""
        self._pause()
        return self._reader.embed(text)

    def embed_many(self, texts: Sequence[str]) -> list[bytes]:
        """As Embedder.embed_many."""
        return [self.embed(text) for text in texts]
