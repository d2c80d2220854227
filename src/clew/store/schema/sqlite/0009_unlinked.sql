-- Links that the wording of memories states and that somebody took away: the rules do not make them again.
CREATE TABLE unlinked (
  src      INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  relation TEXT NOT NULL,
  dst      INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  PRIMARY KEY (src, relation, dst)
) WITHOUT ROWID;
CREATE INDEX unlinked_back ON unlinked (dst);
