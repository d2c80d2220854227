-- A session's opening asks each kind for its strongest: read in order from here instead of sorting the whole project.
CREATE INDEX memories_strongest ON memories (project, status, kind, pinned, uses, recorded_at);
