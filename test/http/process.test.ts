import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess as flowsheet } from "../cli/process.js";
import { parseAnswer, request, send } from "./raw.js";
import { authentication, HELLO, KEYS } from "./service.js";

const BIN = resolve("dist/cli/server-bin.js");

interface Served {
  readonly child: ChildProcess;
  readonly port: number;
  readonly text: () => string;
}

/** Starts the server as a process of its own on a free port. */
async function serve(cwd: string, env: NodeJS.ProcessEnv = {}, ...more: string[]): Promise<Served> {
  const child = spawn(process.execPath, [BIN, "--port", "0", ...more], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stdout?.on("data", (part) => (text += part));
  child.stderr?.on("data", (part) => (text += part));
  for (let i = 0; i < 2_000; i++) {
    const port = /listens on http:\/\/[^:]+:(\d+)/.exec(text)?.[1];
    if (port !== undefined) return { child, port: Number(port), text: () => text };
    if (child.exitCode !== null) break;
    await sleep(50);
  }
  throw new Error(`the server did not start: ${text}`);
}

/** Tells that it has begun, and ends when it may. */
const SLOW = `import { existsSync, writeFileSync } from "node:fs";
import { defineAgent } from "flowsheet";
export const SlowAgent = defineAgent(async () => {
  writeFileSync("begun", "");
  while (!existsSync("end")) await new Promise((resolve) => setTimeout(resolve, 20));
  return "done";
});
`;
const project = (): string =>
  createFolder({
    "flowsheet.yaml": authentication(),
    "workflows/hello.csv": HELLO,
    "workflows/slow.csv": "graph_name,node_name,agent_type,output_field\nSlow,Wait,slow,x\n",
    "agents/slow.js": SLOW,
  });
const begun = (cwd: string): Promise<void> => expect.poll(() => existsSync(join(cwd, "begun"))).toBe(true);

const exit = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null) await once(child, "exit");
  return child.exitCode;
};

describe("flowsheet-server", () => {
  test("says where it listens, what it serves, and how it is protected", async () => {
    const { text, child, port } = await serve(project());
    expect(text().replaceAll(String(port), "PORT")).toContain(`listens on http://127.0.0.1:PORT
  workflows       2 in workflows
  configuration   flowsheet.yaml
  authentication  5 API keys
  try it out      http://127.0.0.1:PORT/docs
`);
    // The hint goes to stderr, the banner to stdout: either may arrive first.
    await expect.poll(text).toContain("write does not include execute: developer cannot run workflows");
    child.kill("SIGINT");
    expect(await exit(child)).toBe(130);
  });

  test("says where the Studio is when it has one", async () => {
    const folder = createFolder({
      "flowsheet.yaml": `server:\n  studio: read\n${authentication()}`,
      "workflows/hello.csv": HELLO,
    });
    const { text, port } = await serve(folder);
    await expect.poll(text).toContain(`  Studio          http://127.0.0.1:${port}/studio/\n`);
  });

  test("R06 what an agent dropped, and what it throws from a timer, is logged and ends nothing", async () => {
    const cwd = createFolder({
      "flowsheet.yaml": authentication(),
      "workflows/late.csv": "graph_name,node_name,agent_type,output_field\nLate,Do,late,x\n",
      "agents/late.mjs": `import { defineAgent } from "flowsheet";
export const late = defineAgent(() => {
  setTimeout(() => Promise.reject(new Error("dropped")), 20);
  setTimeout(() => { throw new Error("thrown"); }, 40);
  return 1;
});`,
    });
    const { port, text } = await serve(cwd);
    const headers = [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json"];
    expect((await request(port, "POST /execute", headers, '{"graph_name":"Late"}')).status).toBe(200);
    for (const what of ["dropped", "thrown"])
      await expect.poll(text).toContain(`something failed that no node waits for: ${what}`);
    expect((await request(port, "GET /health")).status).toBe(200);
  });

  test("an agent that ends the process: exit 1, and it is said", async () => {
    const cwd = createFolder({
      "flowsheet.yaml": authentication(),
      "workflows/end.csv": "graph_name,node_name,agent_type,output_field\nEnd,Do,leaver,x\n",
      "agents/leaver.mjs":
        'import { defineAgent } from "flowsheet";\nexport const leaver = defineAgent(() => process.exit(0));\n',
    });
    const { child, port, text } = await serve(cwd);
    const headers = [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json"];
    await request(port, "POST /execute", headers, '{"graph_name":"End"}').catch(() => null);
    expect(await exit(child)).toBe(1);
    expect(text()).toContain("error: an agent ended the server's process");
  });

  test("with --no-work it leaves runs to others", async () => {
    const cwd = project();
    const { port } = await serve(cwd, {}, "--no-work");
    const headers = [`X-API-Key: ${KEYS.admin}`, "Content-Type: application/json"];
    const body = '{"graph_name":"Hello","initial_state":{"name":"Ada"},"options":{"detach":true}}';
    const begun = await request(port, "POST /execute", headers, body);
    const run = async (): Promise<unknown> =>
      (await request(port, `GET /runs/${begun.json?.["run_id"]}`, headers)).json?.["status"];
    expect((await request(port, "GET /metrics", headers)).body).toContain("\nflowsheet_has_workers 0\n");
    expect(await run()).toBe("queued");
    expect((await flowsheet(["work", "--drain"], { cwd })).code).toBe(0);
    expect(await run()).toBe("completed");
  });

  test("R19 SIGTERM lets runs end that were accepted, and refuses new ones", async () => {
    const cwd = project();
    const { child, port } = await serve(cwd);
    const body = '{"graph_name":"Slow"}';
    const run = request(
      port,
      "POST /execute",
      [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json"],
      body,
    );
    await begun(cwd);
    child.kill("SIGTERM");
    await expect.poll(() => request(port, "GET /health").catch(() => "refused")).toBe("refused");
    writeFileSync(join(cwd, "end"), "");
    const answer = await run;
    expect([answer.status, answer.json?.["status"]]).toEqual([200, "completed"]);
    expect(await exit(child)).toBe(0);
  });

  test("R20 a second SIGTERM ends it at once", async () => {
    const cwd = project();
    const { child, port } = await serve(cwd);
    const body = '{"graph_name":"Slow"}';
    const head = `POST /execute HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEYS.executor}\r\nContent-Type: application/json\r\n`;
    const run = send(port, `${head}Content-Length: ${body.length}\r\n\r\n${body}`, 3_000).catch(() => "");
    await begun(cwd);
    child.kill("SIGTERM");
    await expect.poll(() => request(port, "GET /health").catch(() => "refused")).toBe("refused");
    child.kill("SIGTERM");
    expect(await exit(child)).toBe(143);
    expect(parseAnswer(await run).status).toBe(0);
  });

  const logging =
    "logging:\n  file: server.log\n  loggers: { flowsheet: { level: INFO, handlers: [file] } }\n";

  test("R19 SIGTERM during a run that is longer than server.shutdown_ms ends cleanly with a log file too", async () => {
    const cwd = project();
    writeFileSync(
      join(cwd, "flowsheet.yaml"),
      `${authentication()}${logging}server: { shutdown_ms: 100 }\nexecution: { timeout_ms: 60000 }\n`,
    );
    const { child, port, text } = await serve(cwd);
    const head = [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json"];
    const run = request(port, "POST /execute", head, '{"graph_name":"Slow"}').catch(() => null);
    await begun(cwd);
    child.kill("SIGTERM");
    expect([await exit(child), text()]).toEqual([0, expect.not.stringContaining("bug")]);
    expect(text()).not.toMatch(/error|SonicBoom/i);
    await run;
    expect(readFileSync(join(cwd, "server.log"), "utf8")).toContain("POST /execute 499");
  });

  test.skipIf(process.platform === "win32")("SIGHUP opens the log file again, and ends nothing", async () => {
    const cwd = project();
    writeFileSync(join(cwd, "flowsheet.yaml"), authentication() + logging);
    const { child, port } = await serve(cwd);
    const log = join(cwd, "server.log");
    await request(port, "GET /health");
    renameSync(log, `${log}.1`);
    child.kill("SIGHUP");
    await expect.poll(() => existsSync(log)).toBe(true);
    expect((await request(port, "GET /openapi.json")).status).toBe(200);
    expect(readFileSync(`${log}.1`, "utf8")).toContain("GET /health 200");
    await expect.poll(() => readFileSync(log, "utf8")).toContain("GET /openapi.json 200");
    expect(statSync(log).mode & 0o777).toBe(0o600);
    child.kill("SIGTERM");
    expect(await exit(child)).toBe(0);
  });

  test.skipIf(process.platform === "win32")("SIGHUP ends nothing while the program is loaded", async () => {
    const cwd = project();
    const early = join(cwd, "early.cjs");
    writeFileSync(early, 'setImmediate(() => process.kill(process.pid, "SIGHUP"));\n');
    const { child } = await serve(cwd, { NODE_OPTIONS: `--require ${early}` });
    child.kill("SIGTERM");
    expect(await exit(child)).toBe(0);
  });

  test("a port that is taken is named", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const ended = await flowsheet(["serve", "--port", String(port)], { cwd: project() });
    other.close();
    expect([ended.code, ended.stderr]).toEqual([
      2,
      expect.stringContaining(
        `error: port ${port} of 127.0.0.1 is taken\n  = help: choose another one with --port`,
      ),
    ]);
  });

  test.each([
    [
      "a broken section",
      "authentication:\n  enabled: true\n  jwt: {secret: short}\n",
      /flowsheet.yaml:3.*secret/s,
    ],
    ["YAML that is none", "a: [\n", /flowsheet.yaml:\d+/],
  ])("%s keeps it from starting", async (_name, config, message) => {
    const cwd = createFolder({ "flowsheet.yaml": config });
    const ended = await flowsheet(["serve", "--port", "0"], { cwd });
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  test.each(["x", "-1", "70000", "1.5"])("--port %s is wrong usage", async (port) => {
    const ended = await flowsheet(["serve", `--port=${port}`], { cwd: createFolder() });
    expect([ended.code, ended.stdout]).toEqual([2, ""]);
  });

  test("without a configuration it starts, protected, and says how to make keys", async () => {
    const cwd = createFolder({ [join("workflows", "hello.csv")]: HELLO });
    const { text, port } = await serve(cwd);
    expect((await request(port, "GET /workflows")).status).toBe(401);
    await expect.poll(text).toContain("flowsheet auth init makes keys");
    expect((await request(port, "GET /health")).json?.["workflows"]).toBe(1);
  });
});
