-- What a session's window holds, what was observed in it, and memories that rest: not put before anyone unasked until they are used again.

ALTER TABLE memories ADD COLUMN resting INTEGER NOT NULL DEFAULT 0;

CREATE TABLE windows (
  session TEXT PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  state   TEXT NOT NULL,                    -- JSON of rules/working_set.Window
  at      REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE observations (
  session TEXT NOT NULL,
  handle  TEXT NOT NULL,
  project INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  kind    TEXT NOT NULL,                    -- file, search, command or call
  target  TEXT NOT NULL,                    -- the file, query or command
  hash    TEXT NOT NULL DEFAULT '',         -- of the file when it was read or written last
  gist    TEXT NOT NULL DEFAULT '',         -- one line of what is known of it
  text    TEXT NOT NULL DEFAULT '',         -- both ends of what came back, where it cannot be read again
  tokens  INTEGER NOT NULL,
  reads   INTEGER NOT NULL DEFAULT 1,
  at      REAL NOT NULL,
  PRIMARY KEY (session, handle)
) WITHOUT ROWID;
CREATE INDEX observations_target ON observations (project, target, at);
CREATE INDEX observations_handle ON observations (handle);
