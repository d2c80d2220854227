-- What compiling context leaves behind: the figures of every compilation, for exact sums, and working contexts with their history.
-- The originals behind handles are in `sources`.

CREATE TABLE compilations (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  project      INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  session      TEXT,
  at           REAL NOT NULL,
  expires_at   REAL,
  counter      TEXT NOT NULL,               -- what its tokens were counted with
  risk         TEXT NOT NULL,
  fragments    INTEGER NOT NULL,
  tokens_in    INTEGER NOT NULL,
  tokens_out   INTEGER NOT NULL,
  saved        INTEGER NOT NULL,
  externalised INTEGER NOT NULL,
  lost         INTEGER NOT NULL,
  saved_cost   REAL,
  currency     TEXT
);
CREATE INDEX compilations_project ON compilations (project);
CREATE INDEX compilations_expires ON compilations (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE working_contexts (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  project INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  session TEXT NOT NULL,
  content TEXT NOT NULL,                    -- JSON object of its seven parts
  origin  TEXT NOT NULL,
  at      REAL NOT NULL
);
CREATE INDEX working_contexts_session ON working_contexts (project, session, id);
