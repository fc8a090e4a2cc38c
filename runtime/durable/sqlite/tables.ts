/**
 * The first schema. Times are milliseconds since 1970, and JSON is text.
 * Values stand apart from runs: a list reads no values, and a change of status rewrites none.
 * `n` orders runs and stays the same under VACUUM, unlike a hidden row id; the search and what is written most refer
 * to it: what runs at work write together then stands together in the file. By their ids each record would touch pages
 * of its own, and cost three times as much.
 */
export const tables = `
CREATE TABLE meta (schema INTEGER NOT NULL);
INSERT INTO meta VALUES (0);

CREATE TABLE runs (
  n INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE,
  graph TEXT NOT NULL,
  sheet TEXT,
  version TEXT NOT NULL,
  contract INTEGER NOT NULL,
  status TEXT NOT NULL,
  owner TEXT,
  epoch INTEGER NOT NULL DEFAULT 0,
  recoveries INTEGER NOT NULL DEFAULT 0,
  deaths INTEGER NOT NULL DEFAULT 0,
  died_at INTEGER NOT NULL DEFAULT 0,
  key TEXT,
  user_id TEXT,
  started_by TEXT,
  parent_id TEXT,
  parent_at TEXT,
  created INTEGER NOT NULL,
  due INTEGER NOT NULL,
  started INTEGER,
  suspended INTEGER,
  ended INTEGER,
  deadline INTEGER,
  worked INTEGER NOT NULL DEFAULT 0,
  held TEXT,
  error_code TEXT
);
CREATE UNIQUE INDEX runs_key ON runs (key, graph, ifnull(user_id, '')) WHERE key IS NOT NULL;
CREATE INDEX runs_due ON runs (due, graph, contract) WHERE status IN ('queued', 'waiting');
CREATE INDEX runs_status ON runs (status, created, n);
CREATE INDEX runs_graph ON runs (graph, status, created, n);
CREATE INDEX runs_user ON runs (user_id, status, created, n) WHERE user_id IS NOT NULL;
CREATE INDEX runs_version ON runs (version);
CREATE INDEX runs_ended ON runs (ended) WHERE ended IS NOT NULL;

CREATE TABLE run_values (
  run INTEGER PRIMARY KEY,
  given TEXT,
  options TEXT NOT NULL,
  result TEXT
);
CREATE VIRTUAL TABLE run_words USING fts5 (run_id, words);
INSERT INTO run_words (run_words, rank) VALUES ('secure-delete', 1);

CREATE TABLE run_counts (graph TEXT, status TEXT, n INTEGER NOT NULL, PRIMARY KEY (graph, status)) WITHOUT ROWID;
CREATE TRIGGER runs_begin AFTER INSERT ON runs BEGIN
  INSERT INTO run_counts VALUES (new.graph, new.status, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER runs_change AFTER UPDATE OF status ON runs WHEN old.status <> new.status BEGIN
  UPDATE run_counts SET n = n - 1 WHERE graph = old.graph AND status = old.status;
  INSERT INTO run_counts VALUES (new.graph, new.status, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER runs_forget AFTER DELETE ON runs BEGIN
  UPDATE run_counts SET n = n - 1 WHERE graph = old.graph AND status = old.status;
  DELETE FROM run_counts WHERE graph = old.graph AND status = old.status AND n <= 0;
END;

CREATE TABLE steps (
  run INTEGER NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  pure INTEGER NOT NULL,
  node TEXT NOT NULL,
  visit INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  branch TEXT NOT NULL,
  began INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  result TEXT,
  seen TEXT,
  writes TEXT,
  error TEXT,
  worked INTEGER NOT NULL,
  token TEXT NOT NULL,
  PRIMARY KEY (run, id)
);

CREATE TABLE waits (
  run_id TEXT NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  node TEXT NOT NULL,
  waiting TEXT NOT NULL,
  spec TEXT NOT NULL,
  about TEXT NOT NULL,
  opened INTEGER NOT NULL,
  until_at INTEGER,
  remind_at INTEGER,
  escalate_at INTEGER,
  ending TEXT,
  answered_by TEXT,
  ended_at INTEGER,
  token TEXT,
  notice_at INTEGER AS (min(ifnull(remind_at, escalate_at), ifnull(escalate_at, remind_at))),
  PRIMARY KEY (run_id, id)
);
CREATE INDEX waits_notice ON waits (notice_at) WHERE ending IS NULL AND notice_at IS NOT NULL;
CREATE INDEX waits_open ON waits (run_id) WHERE ending IS NULL;

CREATE TABLE events (
  run INTEGER NOT NULL,
  n INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  event TEXT NOT NULL,
  token TEXT,
  PRIMARY KEY (run, n)
) WITHOUT ROWID;

CREATE TABLE versions (
  version TEXT PRIMARY KEY,
  graph TEXT NOT NULL,
  sheet TEXT,
  contract INTEGER NOT NULL,
  texts TEXT NOT NULL,
  seen INTEGER NOT NULL
);
CREATE INDEX versions_graph ON versions (graph, seen);

CREATE TABLE workers (owner TEXT PRIMARY KEY, seen INTEGER NOT NULL, concurrency INTEGER NOT NULL);
CREATE TABLE schedules (
  name TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  next INTEGER NOT NULL,
  paused INTEGER NOT NULL,
  PRIMARY KEY (name, fingerprint)
);
`;

/**
 * Numbers of runs by their sheets, too: a server shows only those of some folders, and a list of them is counted as fast
 * as one of all.
 */
export const countsBySheet = `
DROP TRIGGER runs_begin;
DROP TRIGGER runs_change;
DROP TRIGGER runs_forget;
DROP TABLE run_counts;
CREATE TABLE run_counts (
  graph TEXT, sheet TEXT, status TEXT, n INTEGER NOT NULL, PRIMARY KEY (graph, sheet, status)
) WITHOUT ROWID;
INSERT INTO run_counts SELECT graph, ifnull(sheet, ''), status, count(*) FROM runs GROUP BY 1, 2, 3;
CREATE TRIGGER runs_begin AFTER INSERT ON runs BEGIN
  INSERT INTO run_counts VALUES (new.graph, ifnull(new.sheet, ''), new.status, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER runs_change AFTER UPDATE OF status, sheet ON runs
WHEN old.status <> new.status OR old.sheet IS NOT new.sheet BEGIN
  UPDATE run_counts SET n = n - 1
    WHERE graph = old.graph AND sheet = ifnull(old.sheet, '') AND status = old.status;
  INSERT INTO run_counts VALUES (new.graph, ifnull(new.sheet, ''), new.status, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER runs_forget AFTER DELETE ON runs BEGIN
  UPDATE run_counts SET n = n - 1
    WHERE graph = old.graph AND sheet = ifnull(old.sheet, '') AND status = old.status;
  DELETE FROM run_counts
    WHERE graph = old.graph AND sheet = ifnull(old.sheet, '') AND status = old.status AND n <= 0;
END;
`;
