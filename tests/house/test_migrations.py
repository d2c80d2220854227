"""An applied migration step is never edited: its digest is kept here. A new step is added to the table in the commit that brings it."""

import hashlib

import pytest

from house import PACKAGE

STEPS: dict[str, dict[str, str]] = {
    "sqlite": {
        "0001_first.sql": "2c4199c10c646a5fb5829ed976d8c216698181f6bd030cf7f8f7f4e9a60cf634",
        "0002_sessions.sql": "68545dfb8d9f33cdade0447274a9bb328f6dcc22f6eea1e1efe4d71d116634eb",
        "0003_strongest.sql": "b34c3875e5c3bea346c262036ede012f6f4a9686bc8f0e820a9a1315c27fd0da",
        "0004_metadata.sql": "987d7b5c65a4224b2717f7f65a7ac8c4e3fc141634ce87ce2e5b5ee98f572c4a",
        "0005_entities.sql": "9bbc91771d8c5665bdb742a42e519dd0966e6d76c64a064d782df5916d4ba4a9",
        "0006_compilations.sql": "8473c26d127458deef2e585b315f74993b7162603e289028631798e30b05b1e3",
        "0007_attempts.sql": "9e1b9e60d11e20f53b243fd7a095a3a0700f1d5236132157a29c30b96057a661",
        "0008_windows.sql": "6fca820375541d0250c3e7165b379735ec00398ce9abc86ab92183215a93a4b6",
        "0009_unlinked.sql": "0d38e691eff1eeb290d180ea292b174a912b002dfc417928236389b252dd3a4e",
    }
}

SCHEMA = PACKAGE / "store" / "schema"


def digests(dialect: str) -> dict[str, str]:
    """Each step on disk with the SHA-256 of its text, line ends as in the repository."""
    texts = {path.name: path.read_bytes().replace(b"\r\n", b"\n") for path in sorted((SCHEMA / dialect).glob("*.sql"))}
    return {name: hashlib.sha256(text).hexdigest() for name, text in texts.items()}


@pytest.mark.skipif(not SCHEMA.is_dir(), reason="no schema yet")
def test_every_dialect_on_disk_is_watched():
    assert {path.name for path in SCHEMA.iterdir() if path.is_dir() and path.name != "__pycache__"} == set(STEPS)


@pytest.mark.skipif(not SCHEMA.is_dir(), reason="no schema yet")
@pytest.mark.parametrize("dialect", STEPS)
def test_no_applied_step_was_edited_and_no_new_one_is_unwatched(dialect):
    found = digests(dialect)
    assert len(found) >= 1
    assert found == STEPS[dialect], f"add a new step, never edit one; the table as it would be now: {found}"


@pytest.mark.skipif(not SCHEMA.is_dir(), reason="no schema yet")
@pytest.mark.parametrize("dialect", STEPS)
def test_steps_are_numbered_without_a_gap(dialect):
    names = list(digests(dialect))
    assert [name[:5] for name in names] == [f"{n:04d}_" for n in range(1, len(names) + 1)]
