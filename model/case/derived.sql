-- Derived: a cache of what replay says of the sessions. Dropping it changes nothing but time. It holds
-- no reference to the other tables, so that it can live in a temporary schema beside a case that
-- can't be written to.

CREATE TABLE evidence_verdict (             -- of an evidence_ref; no row: not yet verified
  ref_id    INTEGER PRIMARY KEY,
  verdict   TEXT NOT NULL,
  failed    INTEGER NOT NULL,               -- does it count as failed evidence
  reason    TEXT NOT NULL,
  record_id INTEGER                         -- the record that decided
) STRICT;

CREATE TABLE run (                          -- one replay of one session under one policy
  id         INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL,
  policy     TEXT NOT NULL,
  policy_digest TEXT NOT NULL,
  catalogue_digest TEXT NOT NULL,
  program    TEXT NOT NULL,
  steps      INTEGER NOT NULL DEFAULT 0,
  first_untrusted INTEGER, first_private INTEGER, first_denied INTEGER,
  denied     INTEGER NOT NULL DEFAULT 0,
  asked      INTEGER NOT NULL DEFAULT 0,
  unclaimed  INTEGER NOT NULL DEFAULT 0,
  final_label INTEGER,
  checked    INTEGER NOT NULL DEFAULT 0,    -- its findings are written
  used       INTEGER NOT NULL DEFAULT 0     -- the largest of a session is the one looked at last
) STRICT;
CREATE UNIQUE INDEX run_key ON run(session_id, policy_digest, catalogue_digest, program);

CREATE TABLE label (
  id        INTEGER PRIMARY KEY,
  integrity TEXT NOT NULL,
  private   INTEGER NOT NULL,
  json      TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE run_step (
  run_id    INTEGER NOT NULL,
  n         INTEGER NOT NULL,
  label_id  INTEGER, before_id INTEGER NOT NULL, after_id INTEGER NOT NULL,
  origin    TEXT,
  rule      TEXT,
  unclaimed INTEGER NOT NULL,
  role      INTEGER NOT NULL DEFAULT 0,
  role_origin TEXT,
  audience  TEXT,
  audience_assumed INTEGER NOT NULL DEFAULT 0,
  verdict TEXT, trusted_action TEXT, permitted_flow TEXT,
  changed   INTEGER NOT NULL DEFAULT 0,     -- 1: integrity of the context rose here, 2: confidentiality
  evidence_failed INTEGER NOT NULL DEFAULT 0, -- references of the step whose verdict counts as failed
  names     INTEGER NOT NULL DEFAULT 0,     -- a directory's answer that says whom the user means
  follows   INTEGER NOT NULL DEFAULT 0,     -- its addresses all came in before, word for word
  PRIMARY KEY (run_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_step_denied ON run_step(run_id, n) WHERE verdict = 'deny';
CREATE INDEX run_step_asked ON run_step(run_id, n) WHERE verdict = 'ask';
CREATE INDEX run_step_evidence ON run_step(run_id, n) WHERE evidence_failed > 0;
CREATE INDEX run_step_names ON run_step(run_id, n) WHERE names > 0;
CREATE INDEX run_step_changed ON run_step(run_id, n) WHERE changed > 0;

CREATE TABLE finding (
  id        INTEGER PRIMARY KEY,
  run_id    INTEGER NOT NULL,
  finding_id TEXT NOT NULL,                 -- from its content: the same on every machine
  code      TEXT NOT NULL,
  severity  INTEGER NOT NULL,               -- 4 critical … 0 info
  rank      INTEGER NOT NULL,               -- worst first
  n         INTEGER,                        -- step; NULL: of the session or a source
  message   TEXT NOT NULL,
  suppressed TEXT,                          -- the reason that the policy gives; NULL: not suppressed
  detail    TEXT NOT NULL                   -- JSON: evidence, refs, policy
) STRICT;
CREATE INDEX finding_step ON finding(run_id, n);
CREATE INDEX finding_counts ON finding(run_id, n) WHERE suppressed IS NULL;
CREATE INDEX finding_rank ON finding(run_id, rank);
