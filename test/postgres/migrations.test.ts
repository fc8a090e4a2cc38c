import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../runtime/durable/postgres/connect.js";
import { MIGRATIONS, prepareSchema } from "../../runtime/durable/postgres/schema.js";
import { HAS_POSTGRES, newDatabase } from "./asked.js";

const ANSWER_MS = 1_500;

test.skipIf(!HAS_POSTGRES)("a migration may take longer than any other statement", async () => {
  const url = await newDatabase();
  const opened = async () => {
    const database = await connect(url, { answerMs: ANSWER_MS });
    onTestFinished(() => database.close());
    return database;
  };
  const [one, other] = [await opened(), await opened()];
  await prepareSchema(one);
  const slow = [...MIGRATIONS, `SELECT pg_sleep(${(2 * ANSWER_MS) / 1_000})`];
  // Whoever comes second waits for the first, and so just as long.
  await Promise.all([prepareSchema(one, slow), prepareSchema(other, slow)]);
  expect(await one.first("SELECT schema FROM flowsheet.meta")).toEqual({ schema: slow.length });
});
