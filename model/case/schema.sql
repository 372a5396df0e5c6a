-- The case, version 1: sources, what was read of them, and the reviewer's notes. docs/schema.md tells
-- what each table means; readers use the v_ views. derived.sql and views.sql are the rest of it.

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE source (
  id         INTEGER PRIMARY KEY,
  path       TEXT NOT NULL,
  role       TEXT NOT NULL CHECK (role IN ('log', 'evidence')),
  sha256     BLOB,                          -- of the original; NULL until it was read
  copy_sha256 BLOB,                         -- of the bytes here, where some were taken out (redaction)
  bytes      INTEGER NOT NULL DEFAULT 0,
  lines      INTEGER NOT NULL DEFAULT 0,
  format     TEXT,
  confidence INTEGER,
  reason     TEXT,
  clock_offset_ns INTEGER NOT NULL DEFAULT 0, -- added to its times
  complete   INTEGER NOT NULL DEFAULT 0,
  imported_at TEXT NOT NULL
) STRICT;

CREATE INDEX source_digest ON source(sha256);
CREATE INDEX source_bytes ON source(bytes);   -- is a file to be read that may be held already
CREATE INDEX source_path ON source(path);     -- has it grown since

CREATE TABLE frame (
  source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
  offset    INTEGER NOT NULL,
  length    INTEGER NOT NULL,
  line      INTEGER NOT NULL,               -- of its first byte, from 1, so that lines are found fast
  packed    BLOB NOT NULL                   -- one zstd frame
) STRICT;
CREATE UNIQUE INDEX frame_at ON frame(source_id, offset);

CREATE TABLE redaction (                    -- bytes that somebody took out, others in their place
  source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
  offset    INTEGER NOT NULL,
  length    INTEGER NOT NULL,
  what      TEXT NOT NULL,                  -- "a GitHub token"
  PRIMARY KEY (source_id, offset)
) STRICT, WITHOUT ROWID;

CREATE TABLE account (
  source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
  kind      TEXT NOT NULL CHECK (kind IN ('event', 'noise', 'diagnostic', 'blank')),
  detail    TEXT NOT NULL DEFAULT '',
  units     INTEGER NOT NULL,
  bytes     INTEGER NOT NULL,
  PRIMARY KEY (source_id, kind, detail)
) STRICT, WITHOUT ROWID;

CREATE TABLE diagnostic (
  id        INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
  line      INTEGER NOT NULL,
  offset    INTEGER NOT NULL,
  length    INTEGER NOT NULL,
  code      TEXT NOT NULL,
  what      TEXT NOT NULL
) STRICT;
CREATE INDEX diagnostic_source ON diagnostic(source_id, offset);

CREATE TABLE session (
  id     INTEGER PRIMARY KEY,
  key    TEXT NOT NULL DEFAULT '',          -- the log's own id
  name   TEXT NOT NULL,
  host   TEXT NOT NULL DEFAULT '',
  parent_id INTEGER REFERENCES session(id)
) STRICT;
CREATE INDEX session_parent ON session(parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLE session_source (
  session_id INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  source_id  INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
  PRIMARY KEY (session_id, source_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE server (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE connection (
  id         INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  server_id  INTEGER REFERENCES server(id),
  source_id  INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
  epoch      INTEGER NOT NULL,
  protocol_version TEXT,
  client_name TEXT, client_version TEXT,
  server_name TEXT, server_version TEXT     -- as the server calls itself
) STRICT;

CREATE TABLE event (
  id         INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  connection_id INTEGER REFERENCES connection(id),
  source_id  INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
  line       INTEGER NOT NULL,
  offset     INTEGER NOT NULL,
  length     INTEGER NOT NULL,
  recipe     TEXT,                          -- NULL: the bytes as they are
  time_ns    INTEGER,                       -- NULL: no time recorded
  time_digits INTEGER,
  direction  TEXT,
  kind       TEXT NOT NULL,
  method     TEXT,
  rpc_id     TEXT,
  pair_id    INTEGER REFERENCES event(id),
  flags      INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX event_roots ON event(session_id) WHERE method = 'roots/list';

CREATE TABLE step (
  id         INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  n          INTEGER NOT NULL,              -- 1, 2, … in the session
  kind       TEXT NOT NULL,
  event_id   INTEGER NOT NULL REFERENCES event(id) ON DELETE CASCADE,
  source_id  INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE, -- of the event
  server_id  INTEGER REFERENCES server(id),
  connection_id INTEGER REFERENCES connection(id),
  tool       TEXT,
  call_id    INTEGER REFERENCES step(id),   -- of a result
  definition_id INTEGER,                    -- of a call: definition(id)
  child_id   INTEGER REFERENCES session(id),-- the sub-agent that a call ran
  outcome    TEXT,                          -- of a call
  is_error   INTEGER NOT NULL DEFAULT 0,
  offset     INTEGER NOT NULL,              -- of the body, in the event's source
  length     INTEGER NOT NULL,
  recipe     TEXT,
  time_ns    INTEGER,                       -- clock offset not applied
  time_digits INTEGER,
  flags      INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX step_n ON step(session_id, n);
CREATE INDEX step_call ON step(call_id, n) WHERE call_id IS NOT NULL;
CREATE INDEX step_child ON step(session_id, child_id) WHERE child_id IS NOT NULL;
CREATE INDEX step_tool ON step(session_id, server_id, tool, n) WHERE kind = 'tool_call';
CREATE INDEX step_turn ON step(session_id, n) WHERE kind IN ('prompt', 'reset');

CREATE TABLE step_source (                  -- a second recording of the same step
  step_id  INTEGER NOT NULL REFERENCES step(id) ON DELETE CASCADE,
  event_id INTEGER NOT NULL REFERENCES event(id) ON DELETE CASCADE,
  offset   INTEGER NOT NULL,
  length   INTEGER NOT NULL,
  recipe   TEXT,
  PRIMARY KEY (step_id, event_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE definition (
  id         INTEGER PRIMARY KEY,
  step_id    INTEGER NOT NULL REFERENCES step(id) ON DELETE CASCADE,
  connection_id INTEGER REFERENCES connection(id),
  server_id  INTEGER REFERENCES server(id),
  tool       TEXT NOT NULL,
  source_id  INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
  offset     INTEGER NOT NULL,
  length     INTEGER NOT NULL,
  recipe     TEXT,
  digest     BLOB,                          -- SHA-256 of its JCS form; NULL: has none
  read_only INTEGER, destructive INTEGER, idempotent INTEGER, open_world INTEGER -- NULL: absent
) STRICT;
CREATE INDEX definition_step ON definition(step_id);

CREATE TABLE claim (
  id       INTEGER PRIMARY KEY,
  step_id  INTEGER NOT NULL REFERENCES step(id) ON DELETE CASCADE,
  block    INTEGER NOT NULL,                -- -1: the result itself
  shape    TEXT NOT NULL,
  name     TEXT NOT NULL,
  value    TEXT,                            -- raw JSON; NULL where it is too long to keep twice
  pointer  TEXT NOT NULL,
  problem  TEXT,
  offset   INTEGER NOT NULL,                -- inside the body's text
  length   INTEGER NOT NULL
) STRICT;
CREATE INDEX claim_step ON claim(step_id);

CREATE TABLE record (
  id        INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
  offset    INTEGER NOT NULL,
  length    INTEGER NOT NULL,
  recipe    TEXT,
  name      TEXT NOT NULL,                  -- a locator: file name, line
  encoding  TEXT NOT NULL CHECK (encoding IN ('json', 'cbor'))
) STRICT;

CREATE TABLE evidence_ref (
  id       INTEGER PRIMARY KEY,
  step_id  INTEGER NOT NULL REFERENCES step(id) ON DELETE CASCADE,
  block    INTEGER NOT NULL,
  type TEXT, digest TEXT, canonicalization TEXT, schema TEXT, schema_version TEXT, ref TEXT, -- NULL: absent
  bad      INTEGER NOT NULL DEFAULT 0,      -- bit i: member i is there but not a string
  raw      TEXT NOT NULL,
  pointer  TEXT NOT NULL
) STRICT;
CREATE INDEX evidence_ref_step ON evidence_ref(step_id);

CREATE TABLE note (
  id         INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  step_id    INTEGER REFERENCES step(id) ON DELETE CASCADE,
  mark       TEXT,                          -- a letter: a mark without text
  text       TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE view_state (                   -- where the reviewer was
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE seal (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  manifest  TEXT NOT NULL,                  -- what is sealed, and by which key: canonical JSON
  signature BLOB NOT NULL                   -- Ed25519, over its bytes
) STRICT;

CREATE TABLE seal_link (                    -- the chain over the events when it was sealed
  first INTEGER PRIMARY KEY,                -- place of the first of them, from 1
  links BLOB NOT NULL                       -- 32 bytes each
) STRICT;
