-- What a session is and which memories were put before it, so that nothing is injected twice unless it changed.

CREATE TABLE sessions (
  id         TEXT PRIMARY KEY,
  project    INTEGER NOT NULL REFERENCES projects (id),
  client     TEXT NOT NULL,
  started_at REAL NOT NULL,
  last_at    REAL NOT NULL,
  turns      INTEGER NOT NULL DEFAULT 0,
  ended_at   REAL
) WITHOUT ROWID;

CREATE TABLE shown (
  session    TEXT NOT NULL,
  memory     INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  updated_at REAL NOT NULL,   -- of the memory as it was shown
  PRIMARY KEY (session, memory)
) WITHOUT ROWID;
CREATE INDEX shown_memory ON shown (memory);
