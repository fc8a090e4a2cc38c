import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess } from "../cli/process.js";
import { flowsheet } from "../cli/run.js";
import { listenForMail } from "../net/mail-server.js";
import { type LocalServer, listen } from "../net/server.js";

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

interface Effect {
  readonly agent: string;
  readonly settings: object;
  readonly config: string;
  readonly env?: { readonly [name: string]: string };
}

/** Kills the worker while the effect is on its way, and lets another one go on. `folder` is told before. */
async function killedOnce({ agent, settings, config, env = {} }: Effect, told: (folder: string) => void) {
  const context = JSON.stringify(settings).replaceAll('"', '""');
  const cwd = createFolder({
    "flowsheet.yaml": `workflows: workflows\n${config}`,
    "workflows/order.csv": `graph_name,node_name,agent_type,next_node,input_fields,output_field,prompt,context
Order,Begin,success,Post|Kill,,,,
Order,Post,${agent},End,item,done,${agent === "http" ? "" : "One {item}"},"${context}"
Order,Kill,killer,End,,killed,,
Order,End,success,,,,,
`,
    "agents/killer.ts": AGENT,
  });
  told(cwd);
  const begin = ["run", "--graph", "Order", "--input", "item=tea", "--detach", "--json"];
  const { run_id: runId } = JSON.parse((await flowsheet(begin, { cwd, env })).stdout);
  expect((await flowsheetProcess(["work", "--drain", "--quiet"], { cwd, env })).signal).toBe("SIGKILL");
  expect((await flowsheetProcess(["work", "--drain", "--quiet"], { cwd, env })).code).toBe(0);
  const shown = JSON.parse((await flowsheet(["runs", "show", runId, "--json"], { cwd, env })).stdout);
  expect(shown).toMatchObject({ status: "completed", state: { killed: "went on" } });
  expect(readFileSync(join(cwd, "killed"), "utf8")).toBe("");
  return runId as string;
}

/** The first call is still open when its process dies. */
const openAtFirst = (answer: string, folder: () => string): Promise<LocalServer> => {
  let calls = 0;
  return listen((_, response) => {
    calls += 1;
    if (calls === 1) appendFileSync(join(folder(), "asked"), "");
    else response.writeHead(200, { "content-type": "application/json" }).end(answer);
  });
};

test("http: a call that a kill -9 cut off has the same key when it is made again", async () => {
  let cwd = "";
  await using server = await openAtFirst('{"id": 7}', () => cwd);
  const settings = { url: `http://${server.host}/orders`, method: "POST" };
  const config = `network: {allow: ["${server.host}"]}\n`;
  const runId = await killedOnce({ agent: "http", settings, config }, (folder) => {
    cwd = folder;
  });
  expect(server.asked.map(({ body, headers }) => [body, headers["idempotency-key"]])).toEqual([
    ['{"item":"tea"}', `${runId}/Post/1`],
    ['{"item":"tea"}', `${runId}/Post/1`],
  ]);
});

test("notify: the message has the same key", async () => {
  let cwd = "";
  await using server = await openAtFirst("", () => cwd);
  const config = `network: {allow: ["${server.host}"]}\nconnections: {team: {kind: slack, url: env:TEAM_URL}}\n`;
  const env = { TEAM_URL: `http://${server.host}/hook` };
  const runId = await killedOnce(
    { agent: "notify", settings: { connection: "team" }, config, env },
    (folder) => {
      cwd = folder;
    },
  );
  expect(server.asked.map(({ body, headers }) => [body, headers["idempotency-key"]])).toEqual([
    ['{"text":"One tea","link_names":false}', `${runId}/Post/1`],
    ['{"text":"One tea","link_names":false}', `${runId}/Post/1`],
  ]);
});

test("mail: it has the same key and the same id", async () => {
  let cwd = "";
  await using server = await listenForMail("nothing", (line) => {
    if (line !== "." || existsSync(join(cwd, "asked"))) return undefined;
    appendFileSync(join(cwd, "asked"), "");
    return "";
  });
  const config = `network: {allow: ["${server.host}"]}
connections: {post: {kind: smtp, host: "127.0.0.1", port: ${server.port}, from: shop@example.com}}
`;
  const settings = { connection: "post", to: "ada@example.com", subject: "Tea" };
  const runId = await killedOnce({ agent: "mail", settings, config }, (folder) => {
    cwd = folder;
  });
  const linesOf = (name: string): readonly (string | undefined)[] =>
    server.mails.map(({ text }) => new RegExp(`^${name}: (.*)$`, "mi").exec(text)?.[1]);
  expect(linesOf("X-Flowsheet-Key")).toEqual([`${runId}/Post/1`, `${runId}/Post/1`]);
  const [first, second] = linesOf("Message-ID");
  expect(first).toMatch(/^<[0-9a-f]{32}@example\.com>$/);
  expect(second).toBe(first);
});
