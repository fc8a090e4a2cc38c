import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { findDriver } from "../../../runtime/durable/sqlite/driver.js";
import { createFolder } from "../../cli/folder.js";
import { flowsheetProcess } from "../../cli/process.js";

const ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";

/** Ends the process while the other branch's statement is at work, which has a journal. */
const agent = (signal: string): string => `import { existsSync } from "node:fs";
import { defineAgent } from "flowsheet";
export const killer = defineAgent(async () => {
  while (!existsSync("data/shop.db-journal")) await new Promise((done) => setTimeout(done, 10));
  process.kill(process.pid, "${signal}");
  return new Promise<never>(() => {});
});
`;

test.each(["SIGKILL", "SIGTERM"])("%s to the run ends the statement, too", async (signal) => {
  const cwd = createFolder({
    "flowsheet.yaml": "connections: {shop: {kind: sqlite, file: shop.db}}\n",
    "order.csv": `graph_name,node_name,agent_type,next_node,input_fields,output_field,prompt,context
Order,Begin,success,Put|Kill,,,,
Order,Put,sql,End,,changes,"CREATE TABLE stuck AS ${ENDLESS}","{""connection"": ""shop""}"
Order,Kill,killer,End,,killed,,
Order,End,success,,,,,
`,
    "agents/killer.ts": agent(signal),
  });
  await flowsheetProcess(["run", "order.csv", "--graph", "Order"], { cwd });
  const db = findDriver().open(join(cwd, "data/shop.db"));
  const isFree = (): boolean => {
    try {
      db.exec("BEGIN IMMEDIATE; CREATE TABLE orders (id); INSERT INTO orders VALUES (1); COMMIT");
      return true;
    } catch {
      return false;
    }
  };
  while (!isFree()) await pause(20);
  expect(db.prepare("SELECT id FROM orders").all()).toEqual([{ id: 1 }]);
  expect(db.prepare("SELECT name FROM sqlite_master WHERE name = 'stuck'").all()).toEqual([]);
  db.close();
});
