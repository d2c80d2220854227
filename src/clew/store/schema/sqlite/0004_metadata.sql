-- Metadata by value, for `where`. Derived from memories.metadata, rebuilt by `clew reindex`. A value stands in the column of its type,
-- a bool as the number 0 or 1; the other column is empty, so that one index serves every type in its order.
CREATE TABLE metadata (
  memory  INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  key     TEXT NOT NULL,
  project INTEGER NOT NULL,
  type    TEXT NOT NULL,                    -- bool, number, text
  number  REAL NOT NULL DEFAULT 0,
  text    TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (memory, key)
) WITHOUT ROWID;
CREATE INDEX metadata_values ON metadata (project, key, type, number, text);

INSERT INTO metadata (memory, key, project, type, number, text)
SELECT m.id, j.key, m.project,
  CASE j.type WHEN 'text' THEN 'text' WHEN 'true' THEN 'bool' WHEN 'false' THEN 'bool' ELSE 'number' END,
  CASE j.type WHEN 'text' THEN 0 ELSE j.value END,
  CASE j.type WHEN 'text' THEN j.value ELSE '' END
FROM memories m JOIN json_each(m.metadata) j WHERE m.metadata <> '{}' AND json_valid(m.metadata);

-- Fields that a filter may find one memory by.
CREATE INDEX memories_origin ON memories (project, origin);
CREATE INDEX memories_file   ON memories (project, source ->> 'file') WHERE source ->> 'file' IS NOT NULL;
CREATE INDEX memories_commit ON memories (project, source ->> 'commit') WHERE source ->> 'commit' IS NOT NULL;

-- When feedback last moved the confidence, from where it decays to the middle.
ALTER TABLE memories ADD COLUMN confidence_at REAL;
CREATE INDEX memories_judged ON memories (project) WHERE confidence <> 0.5;
