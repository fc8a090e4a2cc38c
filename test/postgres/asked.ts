import { randomBytes } from "node:crypto";
import { createConnection } from "node:net";
import { text } from "node:stream/consumers";
import { inject } from "vitest";
import { inCi } from "../how-many.js";
import { findPostgres, query } from "./server.js";

const isThere = findPostgres() !== null;
/** What holds on libsql is tried on PostgreSQL, too, where CI does it. */
export const HAS_POSTGRES: boolean = isThere && inCi;
if (!HAS_POSTGRES)
  console.warn(
    `the tests on PostgreSQL are skipped: ${isThere ? "CI=true runs them" : "there is none here"}`,
  );

let asked: Promise<string> | undefined;

/** The URL of a database on the server that all tests share. Each file of tests, or test, takes a schema of its own. */
export function sharedPostgres(): Promise<string> {
  asked ??= ask();
  return asked;
}

async function ask(): Promise<string> {
  const url = await text(createConnection(inject("postgres")));
  if (!url.startsWith("postgres:")) throw new Error(url);
  return url;
}

/** A database of its own on that server, by its URL. */
export async function newDatabase(): Promise<string> {
  const url = await sharedPostgres();
  const name = `test_${randomBytes(8).toString("hex")}`;
  await query(url, `CREATE DATABASE ${name}`);
  return url.replace(/postgres$/, name);
}
