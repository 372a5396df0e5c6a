-- What readers query: `strandline sql` and other programs. docs/schema.md tells what each column means.
-- Times have their source's clock offset applied, and as many digits as the source gave.

CREATE VIEW v_source AS
SELECT id AS source_id, path, role, format, confidence, reason, lower(hex(sha256)) AS sha256, bytes, lines,
  clock_offset_ns, complete, imported_at,
  (SELECT count(*) FROM diagnostic WHERE diagnostic.source_id = source.id) AS diagnostics
FROM source;

CREATE VIEW v_account AS
SELECT source_id, source.path AS file, kind, detail, units, account.bytes AS bytes
FROM account JOIN source ON source.id = source_id;

CREATE VIEW v_diagnostic AS
SELECT source_id, source.path AS file, line, offset, length, code, what
FROM diagnostic JOIN source ON source.id = source_id;

CREATE VIEW v_run AS                        -- the run that was looked at last, of each session
SELECT id AS run_id, session_id, policy, policy_digest, catalogue_digest, program, steps, first_untrusted,
  first_private, first_denied, denied, asked, unclaimed, max(used) AS used
FROM run GROUP BY session_id;

CREATE VIEW v_session AS
SELECT session.id AS session_id, key, name, host, parent_id,
  (SELECT count(*) FROM step WHERE step.session_id = session.id) AS steps,
  (SELECT count(*) FROM event WHERE event.session_id = session.id) AS events,
  (SELECT group_concat(name, ', ') FROM (SELECT server.name FROM server JOIN (
    SELECT server_id FROM connection WHERE connection.session_id = session.id
    UNION SELECT server_id FROM step WHERE step.session_id = session.id AND step.kind = 'tool_call'
    UNION SELECT definition.server_id FROM step JOIN definition ON definition.step_id = step.id
      WHERE step.session_id = session.id AND step.kind = 'definitions' AND definition.connection_id IS NULL
  ) AS met ON met.server_id = server.id ORDER BY server.id)) AS servers,
  v_run.policy, first_untrusted, first_private, first_denied, denied, asked, unclaimed
FROM session LEFT JOIN v_run ON v_run.session_id = session.id;

CREATE VIEW v_connection AS
SELECT connection.id AS connection_id, session_id, server.name AS server, source_id, epoch, protocol_version,
  client_name, client_version, server_name, server_version
FROM connection LEFT JOIN server ON server.id = server_id;

CREATE VIEW v_event AS
SELECT event.id AS event_id, event.session_id, session.name AS session, source.path AS file, line, offset, length,
  CASE WHEN (event.time_ns + source.clock_offset_ns) IS NOT NULL THEN
    strftime('%Y-%m-%dT%H:%M:%S', ((event.time_ns + source.clock_offset_ns) - ((event.time_ns + source.clock_offset_ns) % 1000000000 + 1000000000) % 1000000000) / 1000000000, 'unixepoch')
    || CASE WHEN event.time_digits > 0 THEN '.' || substr(printf('%09d', ((event.time_ns + source.clock_offset_ns) % 1000000000 + 1000000000) % 1000000000), 1, event.time_digits) ELSE '' END
    || 'Z' END AS time,
  direction, server.name AS server, event.kind, method, rpc_id, pair_id,
  event.flags & 1 <> 0 AS truncated, event.flags & 2 <> 0 AS redacted
FROM event JOIN session ON session.id = event.session_id JOIN source ON source.id = event.source_id
LEFT JOIN connection ON connection.id = event.connection_id LEFT JOIN server ON server.id = connection.server_id;

CREATE VIEW v_step AS
SELECT step.session_id, session.name AS session, step.n AS step, step.id AS step_id,
  CASE WHEN (step.time_ns + source.clock_offset_ns) IS NOT NULL THEN
    strftime('%Y-%m-%dT%H:%M:%S', ((step.time_ns + source.clock_offset_ns) - ((step.time_ns + source.clock_offset_ns) % 1000000000 + 1000000000) % 1000000000) / 1000000000, 'unixepoch')
    || CASE WHEN step.time_digits > 0 THEN '.' || substr(printf('%09d', ((step.time_ns + source.clock_offset_ns) % 1000000000 + 1000000000) % 1000000000), 1, step.time_digits) ELSE '' END
    || 'Z' END AS time,
  server.name AS server, step.kind, step.tool, outcome, is_error,
  (SELECT n FROM step AS call WHERE call.id = step.call_id) AS call_step,
  (SELECT min(n) FROM step AS result WHERE result.call_id = step.id) AS result_step,
  child_id AS child_session_id,
  step.flags & 1 <> 0 AS truncated, step.flags & 2 <> 0 AS redacted, step.flags & 16 <> 0 AS approved,
  source.path AS file, event.line, step.offset, step.length, step.recipe,
  v_run.policy, own.json AS label, before.json AS context_before, after.json AS context_after,
  origin, rule, run_step.unclaimed, CASE run_step.role WHEN 1 THEN 'consequential' WHEN 2 THEN 'egress' WHEN 3 THEN 'consequential egress' END AS role, role_origin, audience, audience_assumed,
  verdict, trusted_action, permitted_flow,
  run_step.changed & 1 <> 0 AS integrity_rose, run_step.changed & 2 <> 0 AS confidentiality_rose
FROM step JOIN session ON session.id = step.session_id JOIN source ON source.id = step.source_id
JOIN event ON event.id = step.event_id LEFT JOIN server ON server.id = step.server_id
LEFT JOIN v_run ON v_run.session_id = step.session_id
LEFT JOIN run_step ON run_step.run_id = v_run.run_id AND run_step.n = step.n
LEFT JOIN label AS own ON own.id = label_id LEFT JOIN label AS before ON before.id = before_id
LEFT JOIN label AS after ON after.id = after_id;

CREATE VIEW v_verdict AS                    -- of every policy under which the session was replayed
SELECT run.session_id, run_step.n AS step, run.policy, run.policy_digest, CASE run_step.role WHEN 1 THEN 'consequential' WHEN 2 THEN 'egress' WHEN 3 THEN 'consequential egress' END AS role, role_origin,
  audience, audience_assumed, verdict, trusted_action, permitted_flow, own.json AS label, origin, rule,
  before.json AS context_before, after.json AS context_after, run_step.unclaimed
FROM run JOIN run_step ON run_step.run_id = run.id LEFT JOIN label AS own ON own.id = label_id
LEFT JOIN label AS before ON before.id = before_id LEFT JOIN label AS after ON after.id = after_id;

CREATE VIEW v_claim AS
SELECT step.session_id, step.n AS step, block, shape, claim.name, value, pointer, problem, claim.offset, claim.length
FROM claim JOIN step ON step.id = claim.step_id;

CREATE VIEW v_evidence AS
SELECT step.session_id, step.n AS step, block, type, digest, canonicalization, schema, schema_version, ref,
  verdict, failed, reason, record.name AS record, pointer, raw
FROM evidence_ref JOIN step ON step.id = evidence_ref.step_id
LEFT JOIN evidence_verdict ON ref_id = evidence_ref.id LEFT JOIN record ON record.id = record_id;

CREATE VIEW v_finding AS                    -- of the run that was looked at last
SELECT v_run.session_id, n AS step, code, CASE finding.severity WHEN 4 THEN 'critical' WHEN 3 THEN 'high' WHEN 2 THEN 'medium' WHEN 1 THEN 'low' ELSE 'info' END AS severity, message, suppressed,
  finding_id, v_run.policy, detail, rank
FROM finding JOIN v_run ON v_run.run_id = finding.run_id;

CREATE VIEW v_definition AS
SELECT step.session_id, step.n AS step, server.name AS server, definition.tool, lower(hex(digest)) AS digest,
  read_only, destructive, idempotent, open_world, source.path AS file, definition.offset, definition.length,
  definition.recipe
FROM definition JOIN step ON step.id = definition.step_id JOIN source ON source.id = definition.source_id
LEFT JOIN server ON server.id = definition.server_id;

CREATE VIEW v_note AS
SELECT note.session_id, step.n AS step, mark, text, created_at
FROM note LEFT JOIN step ON step.id = note.step_id;
