/**
 * The first schema. Times are milliseconds since 1970, and JSON is text: `jsonb` cannot hold U+0000.
 * Values stand apart from runs: a list reads no values, and a change of status rewrites none.
 * Texts that are compared are of the collation "C": it never changes with the system, and is the order of SQLite.
 * `events` is the number of the run's last event, and `token` the mark of its last change. Both stand in the row that
 * each write locks, so one statement sees them as they are. No index has them: such a change rewrites no index.
 * Runs are cleared away often: those that were due and no longer are would be passed over with each claim.
 */
export const tables = `
CREATE TABLE flowsheet.meta (schema integer NOT NULL);
INSERT INTO flowsheet.meta VALUES (0);

CREATE TABLE flowsheet.runs (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id text COLLATE "C" NOT NULL UNIQUE,
  graph text COLLATE "C" NOT NULL,
  sheet text COLLATE "C",
  version text COLLATE "C" NOT NULL,
  contract integer NOT NULL,
  status text COLLATE "C" NOT NULL,
  owner text COLLATE "C",
  epoch bigint NOT NULL DEFAULT 0,
  recoveries integer NOT NULL DEFAULT 0,
  deaths integer NOT NULL DEFAULT 0,
  died_at bigint NOT NULL DEFAULT 0,
  key text COLLATE "C",
  user_id text COLLATE "C",
  started_by text,
  parent_id text COLLATE "C",
  parent_at text,
  created bigint NOT NULL,
  due bigint NOT NULL,
  started bigint,
  suspended bigint,
  ended bigint,
  deadline bigint,
  worked bigint NOT NULL DEFAULT 0,
  held text,
  error_code text,
  events bigint NOT NULL DEFAULT 0,
  token text
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE UNIQUE INDEX runs_key ON flowsheet.runs (key, graph, (coalesce(user_id, ''))) WHERE key IS NOT NULL;
CREATE INDEX runs_due ON flowsheet.runs (due) WHERE status IN ('queued', 'waiting');
CREATE INDEX runs_turn ON flowsheet.runs (graph, due) WHERE status IN ('queued', 'waiting');
CREATE INDEX runs_owner ON flowsheet.runs (owner) WHERE status = 'running';
CREATE INDEX runs_status ON flowsheet.runs (status, created, n);
CREATE INDEX runs_graph ON flowsheet.runs (graph, status, created, n);
CREATE INDEX runs_user ON flowsheet.runs (user_id, status, created, n) WHERE user_id IS NOT NULL;
CREATE INDEX runs_version ON flowsheet.runs (version);
CREATE INDEX runs_ended ON flowsheet.runs (ended) WHERE ended IS NOT NULL;

CREATE TABLE flowsheet.run_values (
  run bigint PRIMARY KEY,
  given text,
  options text NOT NULL,
  result text
);
CREATE TABLE flowsheet.run_words (
  run bigint PRIMARY KEY,
  words text NOT NULL,
  terms tsvector NOT NULL
);
CREATE INDEX run_words_terms ON flowsheet.run_words USING gin (terms);

CREATE TABLE flowsheet.steps (
  run bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  pure smallint NOT NULL,
  node text NOT NULL,
  visit bigint NOT NULL,
  attempt bigint NOT NULL,
  branch text NOT NULL,
  began bigint NOT NULL,
  ended bigint NOT NULL,
  outcome text NOT NULL,
  result text,
  seen text,
  writes text,
  error text,
  worked bigint NOT NULL,
  token text NOT NULL,
  PRIMARY KEY (run, id)
);

CREATE TABLE flowsheet.waits (
  run_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  node text COLLATE "C" NOT NULL,
  waiting text NOT NULL,
  spec text NOT NULL,
  about text NOT NULL,
  opened bigint NOT NULL,
  until_at bigint,
  remind_at bigint,
  escalate_at bigint,
  ending text,
  answered_by text,
  ended_at bigint,
  token text,
  notice_at bigint GENERATED ALWAYS AS (least(remind_at, escalate_at)) STORED,
  PRIMARY KEY (run_id, id)
);
CREATE INDEX waits_notice ON flowsheet.waits (notice_at) WHERE ending IS NULL AND notice_at IS NOT NULL;
CREATE INDEX waits_open ON flowsheet.waits (opened, run_id) WHERE ending IS NULL;

CREATE TABLE flowsheet.events (
  run bigint NOT NULL,
  n bigint NOT NULL,
  at bigint NOT NULL,
  type text NOT NULL,
  event text NOT NULL,
  token text,
  PRIMARY KEY (run, n)
);

CREATE TABLE flowsheet.versions (
  version text COLLATE "C" PRIMARY KEY,
  graph text COLLATE "C" NOT NULL,
  sheet text COLLATE "C",
  contract integer NOT NULL,
  texts text NOT NULL,
  seen bigint NOT NULL
);
CREATE INDEX versions_graph ON flowsheet.versions (graph, seen);

CREATE TABLE flowsheet.workers (
  owner text COLLATE "C" PRIMARY KEY,
  seen bigint NOT NULL,
  concurrency integer NOT NULL
);
CREATE TABLE flowsheet.schedules (
  name text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  next bigint NOT NULL,
  paused smallint NOT NULL,
  PRIMARY KEY (name, fingerprint)
);
`;

/** A text of JSON as data that can be looked into. No text of `jsonb` has a U+0000, nor half of a pair. */
export const asData = (text: string): string =>
  String.raw`regexp_replace(${text}, '\\u(0000|d[89a-f][0-9a-f]{2})', '\ufffd', 'g')::jsonb`;

/** Whom open waits ask: with many of them, all were read to find those that ask one person. */
export const askedIndex = `
CREATE INDEX waits_asked ON flowsheet.waits USING gin ((${asData("about")}) jsonb_path_ops)
  WHERE ending IS NULL AND about <> 'null';
`;

/**
 * A record of one step, as nearly all are. Each connection plans it once: as a statement it was planned each time, which
 * took the server three times as long. A plan that was made for few rows would read all of them when they are many.
 * Null when the lease is lost, or when the record is there.
 */
export const recordFunction = `
CREATE FUNCTION flowsheet.record(p_run text, p_owner text, p_epoch bigint,
  p_id text, p_seq bigint, p_pure smallint, p_node text, p_visit bigint, p_attempt bigint, p_branch text,
  p_began bigint, p_ended bigint, p_outcome text, p_result text, p_seen text, p_writes text, p_error text,
  p_worked bigint, p_token text, p_events text[]) RETURNS bigint LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $record$
DECLARE
  run record;
  count integer := coalesce(array_length(p_events, 1), 0) / 3;
BEGIN
  UPDATE flowsheet.runs SET events = events + count, token = p_token
    WHERE run_id = p_run AND owner IS NOT DISTINCT FROM p_owner AND epoch = p_epoch
      AND status IS NOT DISTINCT FROM 'running' AND token IS DISTINCT FROM p_token
    RETURNING n, events INTO run;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  INSERT INTO flowsheet.steps (run, id, seq, pure, node, visit, attempt, branch, began, ended, outcome, result, seen,
      writes, error, worked, token)
    VALUES (run.n, p_id, p_seq, p_pure, p_node, p_visit, p_attempt, p_branch, p_began, p_ended, p_outcome, p_result,
      p_seen, p_writes, p_error, p_worked, p_token);
  FOR i IN 0 .. count - 1 LOOP
    INSERT INTO flowsheet.events (run, n, at, type, event) VALUES (run.n, run.events - count + i + 1,
      p_events[3 * i + 1]::bigint, p_events[3 * i + 2], p_events[3 * i + 3]);
  END LOOP;
  RETURN run.n;
END
$record$;
`;
