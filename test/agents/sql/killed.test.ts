import { join } from "node:path";
import { expect, test } from "vitest";
import { findDriver } from "../../../runtime/durable/sqlite/driver.js";
import { createFolder } from "../../cli/folder.js";
import { flowsheetProcess } from "../../cli/process.js";
import { flowsheet } from "../../cli/run.js";

/** Kills its worker while the other branch's statement is at work, or has just been done; later it does nothing. */
const AGENT = `import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { defineAgent } from "flowsheet";
export const killer = defineAgent(async () => {
  if (existsSync("killed")) return "went on";
  while (!readdirSync(".").includes("data") || readdirSync("data").length === 0) await new Promise((done) => setTimeout(done, 1));
  writeFileSync("killed", "");
  process.kill(process.pid, "SIGKILL");
  return new Promise<never>(() => {});
});
`;
const SLOW =
  "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 200000) SELECT count(*) FROM c";

test("with once, a change that a kill -9 cut off is made one time", async () => {
  const cwd = createFolder({
    "flowsheet.yaml": "workflows: workflows\nconnections: {shop: {kind: sqlite, file: shop.db}}\n",
    "workflows/order.csv": `graph_name,node_name,agent_type,next_node,input_fields,output_field,prompt,context
Order,Begin,success,Make|Kill,,,,
Order,Make,sql,Put,,,"CREATE TABLE orders (name, n)","{""connection"": ""shop"", ""once"": true}"
Order,Put,sql,End,item,changes,"INSERT INTO orders SELECT {item}, (${SLOW})","{""connection"": ""shop"", ""once"": true}"
Order,Kill,killer,End,,killed,,
Order,End,success,,,,,
`,
    "agents/killer.ts": AGENT,
  });
  const begun = await flowsheet(["run", "--graph", "Order", "--input", "item=tea", "--detach", "--json"], {
    cwd,
  });
  const { run_id: runId } = JSON.parse(begun.stdout);
  expect((await flowsheetProcess(["work", "--drain", "--quiet"], { cwd })).signal).toBe("SIGKILL");
  expect((await flowsheetProcess(["work", "--drain", "--quiet"], { cwd })).code).toBe(0);
  const shown = JSON.parse((await flowsheet(["runs", "show", runId, "--json"], { cwd })).stdout);
  expect(shown).toMatchObject({ status: "completed", state: { changes: 1, killed: "went on" } });
  const db = findDriver().open(join(cwd, "data/shop.db"));
  expect(db.prepare("SELECT * FROM orders").all()).toEqual([{ name: "tea", n: 200_000 }]);
  expect(db.prepare("SELECT key FROM flowsheet_keys ORDER BY key").all()).toEqual([
    { key: `${runId}/Make/1` },
    { key: `${runId}/Put/1` },
  ]);
  db.close();
});
