import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess } from "../cli/process.js";
import { flowsheet } from "../cli/run.js";
import { listen } from "../net/server.js";

/** Kills its worker as soon as the other branch's call has come to the server; later it does nothing. */
const AGENT = `import { existsSync, writeFileSync } from "node:fs";
import { defineAgent } from "flowsheet";
export const killer = defineAgent(async () => {
  if (existsSync("killed")) return "went on";
  while (!existsSync("asked")) await new Promise((done) => setTimeout(done, 10));
  writeFileSync("killed", "");
  process.kill(process.pid, "SIGKILL");
  return new Promise<never>(() => {});
});
`;

test("a call that a kill -9 cut off has the same key when it is made again", async () => {
  let cwd = "";
  await using server = await listen((_, answer) => {
    const calls = server.asked.length;
    if (calls === 1) appendFileSync(join(cwd, "asked"), "");
    // The first call is still open when its process dies.
    else answer.writeHead(200, { "content-type": "application/json" }).end('{"id": 7}');
  });
  const settings = JSON.stringify({ url: `http://${server.host}/orders`, method: "POST" }).replaceAll(
    '"',
    '""',
  );
  cwd = createFolder({
    "flowsheet.yaml": `workflows: workflows\nnetwork: {allow: ["${server.host}"]}\n`,
    "workflows/order.csv": `graph_name,node_name,agent_type,next_node,input_fields,output_field,context
Order,Begin,success,Post|Kill,,,
Order,Post,http,End,item,id,"${settings}"
Order,Kill,killer,End,,killed,
Order,End,success,,,,
`,
    "agents/killer.ts": AGENT,
  });
  const { stdout } = await flowsheet(
    ["run", "--graph", "Order", "--input", "item=tea", "--detach", "--json"],
    { cwd },
  );
  const { run_id: runId } = JSON.parse(stdout);
  expect((await flowsheetProcess(["work", "--drain", "--quiet"], { cwd })).signal).toBe("SIGKILL");
  expect((await flowsheetProcess(["work", "--drain", "--quiet"], { cwd })).code).toBe(0);
  const shown = JSON.parse((await flowsheet(["runs", "show", runId, "--json"], { cwd })).stdout);
  expect(shown).toMatchObject({ status: "completed", state: { id: 7, killed: "went on" } });
  expect(server.asked.map(({ body, headers }) => [body, headers["idempotency-key"]])).toEqual([
    ['{"item":"tea"}', `${runId}/Post/1`],
    ['{"item":"tea"}', `${runId}/Post/1`],
  ]);
  expect(readFileSync(join(cwd, "killed"), "utf8")).toBe("");
});
