/**
 * The first schema. Times are milliseconds since 1970, and JSON is text that SQLite never looks into.
 * `n` orders runs and survives VACUUM, unlike a hidden row id; the search refers to it.
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
  given_back INTEGER NOT NULL DEFAULT 0,
  given TEXT,
  options TEXT NOT NULL,
  key TEXT,
  given_hash TEXT,
  user_id TEXT,
  started_by TEXT,
  parent TEXT,
  created INTEGER NOT NULL,
  due INTEGER NOT NULL,
  started INTEGER,
  suspended INTEGER,
  ended INTEGER,
  deadline INTEGER,
  worked INTEGER NOT NULL DEFAULT 0,
  held TEXT,
  result TEXT,
  error_code TEXT,
  error TEXT
);
CREATE UNIQUE INDEX runs_key ON runs (graph, ifnull(user_id, ''), key) WHERE key IS NOT NULL;
CREATE INDEX runs_due ON runs (status, due);
CREATE INDEX runs_status ON runs (status, created, n);
CREATE INDEX runs_graph ON runs (graph, created, n);
CREATE INDEX runs_created ON runs (created, n);
CREATE INDEX runs_ended ON runs (ended) WHERE ended IS NOT NULL;
CREATE INDEX runs_version ON runs (version);

CREATE TABLE steps (
  run_id TEXT NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  token TEXT NOT NULL,
  node TEXT NOT NULL,
  visit INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  began INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  pure INTEGER NOT NULL DEFAULT 0,
  result TEXT,
  seen TEXT,
  wrote TEXT,
  PRIMARY KEY (run_id, id)
);

CREATE TABLE waits (
  run_id TEXT NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  node TEXT NOT NULL,
  waiting TEXT NOT NULL,
  until_at INTEGER,
  remind_at INTEGER,
  ending TEXT,
  answered_by TEXT,
  answered_at INTEGER,
  PRIMARY KEY (run_id, id)
);
CREATE INDEX waits_remind ON waits (remind_at) WHERE ending IS NULL AND remind_at IS NOT NULL;

CREATE TABLE events (
  run_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  at INTEGER NOT NULL,
  event TEXT NOT NULL,
  PRIMARY KEY (run_id, n)
) WITHOUT ROWID;

CREATE TABLE versions (
  version TEXT PRIMARY KEY,
  graph TEXT NOT NULL,
  contract INTEGER NOT NULL,
  sheets TEXT NOT NULL,
  seen INTEGER NOT NULL
);

CREATE TABLE schedules (
  name TEXT PRIMARY KEY,
  next INTEGER,
  paused INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE workers (
  id TEXT PRIMARY KEY,
  place TEXT NOT NULL,
  seen INTEGER NOT NULL,
  concurrency INTEGER NOT NULL
);

CREATE VIRTUAL TABLE run_texts USING fts5 (text, content = '', contentless_delete = 1);
`;
