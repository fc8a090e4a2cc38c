import { describe, expect, test } from "vitest";
import {
  cutStatement,
  givesRows,
  onlyReads,
  readStatement,
  writeStatement,
} from "../../../compiler/sql-statement.js";

const read = (text: string) => readStatement(cutStatement(text));
const faultIn = (text: string): string | null => read(text).fault?.why ?? null;

describe("a statement as text", () => {
  test.each([
    ["SELECT 1", ["SELECT 1"]],
    ["SELECT {a}, { b.c }", ["SELECT ", ["a"], ", ", ["b", "c"], ""]],
    ["SELECT '{{\"a\": 1}}'", ["SELECT '{\"a\": 1}'"]],
    ["SELECT '{{{{1,2}}}}'::int[]", ["SELECT '{{1,2}}'::int[]"]],
    ["{é}", ["", ["é"], ""]],
  ])("%s", (text, parts) => {
    expect(cutStatement(text)).toEqual(parts);
    expect(cutStatement(writeStatement(parts))).toEqual(parts);
  });
});

test.each([
  ["in text", "SELECT * FROM t WHERE a = '{a}'"],
  ["in text, among others", "SELECT 'it''s {a}'"],
  ["in a name", 'SELECT "{a}" FROM t'],
  ["in a name of MySQL and SQLite", "SELECT `{a}` FROM t"],
  ["in a text with escapes", "SELECT E'\\'{a}'"],
  ["between dollars", "SELECT $$ {a} $$"],
  ["between named dollars", "SELECT $body$ it's {a} $body$"],
])("a value does not stand in quotes: %s", (_, text) => expect(faultIn(text)).toMatch("stands in quotes"));

test.each([
  ["SELECT 1 -- {a}", "in a comment"],
  ["SELECT 1 /* {a} */", "in a comment"],
  ["SELECT 1 /* /* */ {a}", "a comment in a comment"],
  ["SELECT 1 /* {a}", "a comment without an end"],
  ["SELECT 'a {a}", "a quote that is not closed"],
  ["SELECT * FROM t{a}", "touches a name"],
  ["SELECT {a}name", "touches a name"],
  ["SELECT {a}{b}", "touches a name"],
  ["SELECT {a}'x'", "touches a name"],
  ["SELECT 1; DROP TABLE t", "begins a second statement"],
  ["SELECT 1; {a}", "begins a second statement"],
  ["SELECT 1; 'x'", "begins a second statement"],
  ["SELECT $1", "has $1"],
  ["", "is empty"],
  ["  -- nothing", "is empty"],
  ["{a}", "is empty"],
  ["ATTACH 'x.db' AS x", "begins with ATTACH"],
  ["PRAGMA writable_schema = 1", "begins with PRAGMA"],
  ["COPY t FROM PROGRAM 'ls'", "begins with COPY"],
  ["BEGIN", "begins with BEGIN"],
  ["VACUUM INTO 'x'", "begins with VACUUM"],
  ["SELECT '\0'", "a character that none may hold"],
])("%s: %s", (text, why) => expect(faultIn(text)).toMatch(why));

test.each([
  "SELECT * FROM t WHERE a = {a} AND b='it''s; -- no' /* ; */;",
  "SELECT a::text, b[1], c->>'x', {a}::int, ({b}) FROM t -- the end",
  "SELECT * FROM t WHERE a=ANY({ids});  ;",
  'INSERT INTO "my;table" VALUES ({a},{b})',
  "SELECT $$ ; it's $$, $1a$ x",
  "SELECT a$b FROM t",
])("%s is one statement", (text) => {
  const { fault } = read(text);
  if (text.includes("$1a$")) expect(fault?.why).toMatch("has $1");
  else expect(fault).toBeNull();
});

test.each([
  ["SELECT 1", true, true],
  ["  -- INSERT\n select 1", true, true],
  ["(SELECT 1)", true, true],
  ["VALUES (1)", true, true],
  ["WITH a AS (SELECT 1) SELECT * FROM a", true, true],
  ["WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a", false, true],
  ["WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a", false, false],
  ["SELECT replace(a, 'x', 'y') FROM t", true, true],
  ["SELECT 'insert into', \"update\" FROM t", true, true],
  ["SELECT * INTO u FROM t", false, false],
  ["SELECT a AS into FROM t", false, true],
  ["SELECT * FROM t FOR UPDATE SKIP LOCKED", false, true],
  ["SELECT id, delete FROM jobs", false, true],
  ["SELECT merge FROM t WHERE update = 1", false, true],
  ["WITH u AS (UPDATE t SET a = 1 RETURNING id) SELECT * FROM u", false, true],
  ["WITH delete AS (SELECT 1), update AS (SELECT 2) SELECT * FROM delete", false, true],
  ["WITH RECURSIVE a(x) AS MATERIALIZED (VALUES (1)) TABLE a", true, true],
  ["WITH a AS (DELETE FROM t RETURNING *) (SELECT * FROM a)", false, true],
  ["(WITH a AS (SELECT ')') SELECT insert FROM a)", false, true],
  ["WITH a AS (DELETE FROM t RETURNING *) INSERT INTO u SELECT * FROM a", false, false],
  ["WITH a AS (SELECT 1) DELETE FROM t RETURNING *", false, true],
  ["WITH a AS (SELECT 1) SELECT * INTO u FROM a", false, false],
  ["INSERT INTO t (returning) VALUES (1)", false, false],
  ["CREATE TABLE u AS SELECT * FROM t", false, false],
  ["insert into t values (1)", false, false],
  ["INSERT INTO t VALUES (1) RETURNING id", false, true],
  ["REPLACE INTO t VALUES (1)", false, false],
  ["CREATE TABLE t (a)", false, false],
])("%s only reads: %s; gives rows: %s", (text, reads, rows) => {
  expect([onlyReads(read(text)), givesRows(read(text))]).toEqual([reads, rows]);
});
