-- What else is known of an attempt, and how far a session's agent has come: steps it took, when the user last wrote.

ALTER TABLE attempts ADD COLUMN failing INTEGER;                     -- things that fail, where a runner says how many
ALTER TABLE attempts ADD COLUMN origin  TEXT NOT NULL DEFAULT '';    -- the client that told of it
ALTER TABLE attempts ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;  -- its goal was closed, and memories were made of it
CREATE INDEX attempts_place   ON attempts (project, place) WHERE place IS NOT NULL;
CREATE INDEX attempts_session ON attempts (session, id);
CREATE INDEX attempts_open    ON attempts (project, goal) WHERE settled = 0 AND outcome = 'fail';

ALTER TABLE sessions ADD COLUMN calls    INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN asked_at REAL;
