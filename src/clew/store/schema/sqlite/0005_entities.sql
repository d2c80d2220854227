-- Derived from memories, rebuilt by `clew reindex`. An entity is compared by its folded key and shown by the name first seen.
-- No step before this one wrote any, so the table is made anew.
DROP TABLE entities;
CREATE TABLE entities (
  id      INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  kind    TEXT NOT NULL,
  name    TEXT NOT NULL,
  key     TEXT,
  UNIQUE (project, key, kind)
);

-- What a memory is about, and the links it states in words. Where the keys of two memories meet, a link of origin "rule" joins them,
-- whichever was written first.
CREATE TABLE subjects (
  project INTEGER NOT NULL,
  key     TEXT NOT NULL,
  memory  INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  PRIMARY KEY (project, key, memory)
) WITHOUT ROWID;
CREATE INDEX subjects_memory ON subjects (memory);
CREATE TABLE cues (
  project  INTEGER NOT NULL,
  key      TEXT NOT NULL,
  memory   INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  relation TEXT NOT NULL,
  backward INTEGER NOT NULL,                -- the memory is where the link ends
  PRIMARY KEY (project, key, memory)
) WITHOUT ROWID;
CREATE INDEX cues_memory ON cues (memory);
