import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { type RawAnswer, request } from "./raw.js";
import { ASKING, authentication, HELLO, KEYS, startService, type TestService } from "./service.js";

let service: TestService;
afterEach(() => service.stop());

const LOGGING = "logging: {file: logs/server.log, loggers: {flowsheet: {level: INFO, handlers: [file]}}}\n";
const start = async (files: { readonly [path: string]: string }, config = ""): Promise<void> => {
  service = await startService({ config: authentication() + config, files });
};
interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly help: string | null;
}

const badIn = (json: RawAnswer["json"]): readonly Check[] =>
  ((json?.["checks"] ?? []) as readonly Check[]).filter(({ ok }) => !ok);

/** The status, and what is not well. */
const ready = async (...headers: readonly string[]): Promise<readonly unknown[]> => {
  const { status, json } = await request(service.port, "GET /ready", headers);
  return [status, ...badIn(json).map(({ name }) => name)];
};

test("a service with all that it needs is ready, and tells it to everybody who may see /health", async () => {
  await start({ "workflows/hello.csv": HELLO, "workflows/asking.csv": ASKING }, LOGGING);
  const { status, json } = await request(service.port, "GET /ready");
  expect([status, json]).toEqual([
    200,
    {
      ready: true,
      checks: ["stopping", "workflows", "agents", "runs", "data", "log"].map((name) => ({
        name,
        ok: true,
        help: null,
      })),
    },
  ]);
});

test("where /health needs a key, /ready does", async () => {
  service = await startService({
    config: authentication("  public_endpoints: [/docs]\n"),
    files: { "workflows/hello.csv": HELLO },
  });
  expect(await ready()).toEqual([401]);
  expect(await ready(`X-API-Key: ${KEYS.readonly}`)).toEqual([200]);
});

test("what runs would not find is named, with its cure; no path and no agent is", async () => {
  await start(
    {
      "workflows/asking.csv": ASKING,
      "workflows/write.csv":
        "graph_name,node_name,agent_type,input_fields,prompt\nWrite,Put,csv_writer,rows,out.csv\nWrite2,Do,broken,rows,\n",
      "agents/broken.ts":
        "import { defineAgent } from \"flowsheet\";\nexport const BrokenAgent = defineAgent(() => 1);\nthrow new Error('canary');\n",
      data: "",
      runs: "",
      logs: "",
    },
    `runs: runs\n${LOGGING}`,
  );
  const answer = await request(service.port, "GET /ready");
  expect([answer.status, answer.json?.["ready"]]).toEqual([503, false]);
  const bad = badIn(answer.json);
  expect(bad.map(({ name }) => name)).toEqual(["agents", "runs", "data", "log"]);
  for (const { help } of bad) expect(help).toMatch(/flowsheet/);
  expect(answer.body).not.toMatch(/canary|broken|\/tmp/i);
  expect((await request(service.port, "GET /health")).status).toBe(200);
});

test("folders are needed only where a workflow needs them, and it is ready again when they are there", async () => {
  await start({ "workflows/hello.csv": HELLO, data: "", runs: "" }, "runs: {folder: runs, keep: waiting}\n");
  expect(await ready()).toEqual([200]);
  service.write("workflows/asking.csv", ASKING);
  await sleep(1_100);
  expect(await ready()).toEqual([503, "runs"]);
  rmSync(join(service.folder, "runs"));
  await sleep(1_100);
  expect(await ready()).toEqual([200]);
});

test("a project that cannot be written runs agents in TypeScript, from a cache of this user alone", async () => {
  const agent = `import { defineAgent } from "flowsheet";
export const TwiceAgent = defineAgent(({ n }: { n: number }): number => 2 * n);
`;
  const files = {
    "workflows/twice.csv":
      "graph_name,node_name,agent_type,input_fields,output_field\nTwice,Do,twice,n:number,m\n",
    "agents/twice.ts": agent,
    ".flowsheet": "",
  };
  await start(files, "runs: {keep: waiting}\n");
  expect(await ready()).toEqual([200]);
  const answer = await request(
    service.port,
    "POST /execute",
    [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json"],
    '{"graph_name":"Twice","initial_state":{"n":4}}',
  );
  expect(answer.json).toMatchObject({ status: "completed", state: { m: 8 } });
  expect(statSync(join(service.folder, ".flowsheet")).isFile()).toBe(true);
});
