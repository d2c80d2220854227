-- Canonical: settings, projects, memories, links, attempts, log, sources.
-- Derived, rebuilt by `clew reindex`: tagged, words, signs, vectors, entities, aliases, mentions.

CREATE TABLE settings (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE projects (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uid        TEXT NOT NULL UNIQUE,          -- portable identity, part of every digest
  name       TEXT NOT NULL UNIQUE,
  path       TEXT NOT NULL DEFAULT '',
  created_at REAL NOT NULL,
  documents  INTEGER NOT NULL DEFAULT 0,    -- indexed memories and the sum of their lengths in terms: BM25's N and mean
  length     INTEGER NOT NULL DEFAULT 0,
  reshaped   INTEGER NOT NULL DEFAULT 0     -- raised when its sign blocks changed otherwise than by growing at the end
);

CREATE TABLE project_keys (
  key     TEXT PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE memories (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,  -- a forgotten number is never given again
  digest      TEXT NOT NULL UNIQUE,
  project     INTEGER NOT NULL REFERENCES projects (id),
  kind        TEXT NOT NULL,
  status      TEXT NOT NULL DEFAULT 'active',
  summary     TEXT NOT NULL,
  detail      TEXT NOT NULL DEFAULT '',
  tags        TEXT NOT NULL DEFAULT '[]',
  metadata    TEXT NOT NULL DEFAULT '{}',
  origin      TEXT NOT NULL,
  source      TEXT NOT NULL DEFAULT '{}',
  session     TEXT,
  turn        INTEGER,
  pointers    TEXT NOT NULL DEFAULT '[]',
  recorded_at REAL NOT NULL,
  updated_at  REAL NOT NULL,
  seen        INTEGER NOT NULL DEFAULT 1,
  stability   REAL NOT NULL,
  difficulty  REAL NOT NULL,
  last_use    REAL NOT NULL,
  uses        INTEGER NOT NULL DEFAULT 0,
  lapses      INTEGER NOT NULL DEFAULT 0,
  pinned      INTEGER NOT NULL DEFAULT 0,
  valid_from  REAL,
  valid_to    REAL,
  expires_at  REAL,
  ended_at    REAL,
  successor   INTEGER REFERENCES memories (id) ON DELETE SET NULL,
  reason      TEXT NOT NULL DEFAULT '',
  stale       INTEGER NOT NULL DEFAULT 0,
  confidence  REAL NOT NULL DEFAULT 0.5,
  credit      REAL NOT NULL DEFAULT 0.0
);
CREATE INDEX memories_listed  ON memories (project, status, kind, recorded_at);
CREATE INDEX memories_recent  ON memories (project, recorded_at);
CREATE INDEX memories_ended   ON memories (project) WHERE status <> 'active';
CREATE INDEX memories_timed   ON memories (project) WHERE expires_at IS NOT NULL OR valid_from IS NOT NULL OR valid_to IS NOT NULL;
CREATE INDEX memories_expires ON memories (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX memories_turns   ON memories (project, session, turn) WHERE session IS NOT NULL;
CREATE INDEX memories_successor ON memories (successor) WHERE successor IS NOT NULL;

CREATE TABLE tagged (
  project INTEGER NOT NULL,
  tag     TEXT NOT NULL,
  memory  INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  PRIMARY KEY (project, tag, memory)
) WITHOUT ROWID;
CREATE INDEX tagged_memory ON tagged (memory);

CREATE TABLE links (
  src      INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  relation TEXT NOT NULL,
  dst      INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  at       REAL NOT NULL,
  origin   TEXT NOT NULL,
  PRIMARY KEY (src, relation, dst),
  CHECK (src <> dst)
) WITHOUT ROWID;
CREATE INDEX links_back ON links (dst, relation);

CREATE TABLE entities (
  id      INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  kind    TEXT NOT NULL,
  name    TEXT NOT NULL,
  UNIQUE (project, kind, name)
);
CREATE TABLE aliases (
  project INTEGER NOT NULL,
  alias   TEXT NOT NULL,
  entity  INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  PRIMARY KEY (project, alias, entity)
) WITHOUT ROWID;
CREATE INDEX aliases_entity ON aliases (entity);
CREATE TABLE mentions (
  memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  entity INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  PRIMARY KEY (memory, entity)
) WITHOUT ROWID;
CREATE INDEX mentions_entity ON mentions (entity);

CREATE TABLE attempts (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  project     INTEGER NOT NULL REFERENCES projects (id),
  session     TEXT NOT NULL,
  turn        INTEGER,
  goal        TEXT NOT NULL,
  action      TEXT NOT NULL,
  target      TEXT NOT NULL,
  approach    TEXT NOT NULL,
  outcome     TEXT NOT NULL,
  evidence    TEXT NOT NULL DEFAULT '',
  exit_status INTEGER,
  fingerprint TEXT,
  place       TEXT,                          -- the "same place, other message" key
  template    TEXT NOT NULL DEFAULT '',
  version     INTEGER NOT NULL DEFAULT 0,    -- of the fingerprint's rules
  at          REAL NOT NULL
);
CREATE INDEX attempts_goal        ON attempts (project, goal, id);
CREATE INDEX attempts_fingerprint ON attempts (project, fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX attempts_target      ON attempts (project, target);

CREATE TABLE log (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  project INTEGER NOT NULL REFERENCES projects (id),
  memory  INTEGER REFERENCES memories (id) ON DELETE CASCADE,  -- set where a line speaks of one memory, so that forgetting takes it along
  session TEXT,
  turn    INTEGER,
  event   TEXT NOT NULL,
  origin  TEXT NOT NULL,
  text    TEXT NOT NULL DEFAULT '',
  at      REAL NOT NULL
);
CREATE INDEX log_session ON log (project, session, id);
CREATE INDEX log_memory  ON log (memory) WHERE memory IS NOT NULL;

CREATE TABLE sources (
  handle     TEXT PRIMARY KEY,
  project    INTEGER REFERENCES projects (id) ON DELETE CASCADE,
  memory     INTEGER REFERENCES memories (id) ON DELETE CASCADE,
  mime       TEXT NOT NULL DEFAULT 'text/plain',
  content    BLOB NOT NULL,
  at         REAL NOT NULL,
  expires_at REAL
);
CREATE INDEX sources_expires ON sources (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX sources_memory  ON sources (memory) WHERE memory IS NOT NULL;

-- The inverted index (docs/decisions/0003): postings of 8 bytes (id u32, weighted count u16, length u16), ascending by id,
-- in chunks that stay inside a page. `first` is at most the lowest id of the chunk.
CREATE TABLE words (
  project  INTEGER NOT NULL,
  term     TEXT NOT NULL,
  first    INTEGER NOT NULL,
  postings BLOB NOT NULL,
  PRIMARY KEY (project, term, first)
) WITHOUT ROWID;

-- Sign bits of up to 96 memories of one project, a page each; key = project << 32 | lowest id when the block was begun.
CREATE TABLE signs (
  key  INTEGER PRIMARY KEY,
  ids  BLOB NOT NULL,
  bits BLOB NOT NULL
);
CREATE TABLE vectors (
  id   INTEGER PRIMARY KEY,
  row  BLOB NOT NULL,
  norm INTEGER NOT NULL                     -- squared
);
