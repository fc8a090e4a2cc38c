import { spawn } from "node:child_process";
import { connect } from "node:net";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFlowsheetServer } from "../../runtime/http/server.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { type RawAnswer, request } from "../http/raw.js";
import { authentication, HELLO, KEYS, startService } from "../http/service.js";

const SLOW = `import { defineAgent } from "flowsheet";
export const SlowAgent = defineAgent(async (_inputs, { signal }) => {
  await new Promise((resolve) => { const t = setTimeout(resolve, 1000); signal.addEventListener("abort", () => { clearTimeout(t); resolve(); }); });
  return "done";
});
`;
const FILES = {
  "workflows/hello.csv": HELLO,
  "workflows/slow.csv": "graph_name,node_name,agent_type,output_field\nSlow,Wait,slow,x\n",
  "agents/slow.js": SLOW,
};
const HEADERS = [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json"];

const post = (port: number, path: string, body: object): Promise<RawAnswer> =>
  request(port, `POST ${path}`, HEADERS, JSON.stringify(body));
const runsOf = async (port: number, query: string): Promise<readonly { readonly status: string }[]> => {
  const { json } = await request(port, `GET /runs?status=all&${query}`, HEADERS);
  return (json?.["runs"] ?? []) as readonly { readonly status: string }[];
};

async function until(port: number, status: string): Promise<void> {
  await expect.poll(async () => (await runsOf(port, "graph_name=Slow"))[0]?.status).toBe(status);
}

test("a server works on the runs of a store that was there, however long it took to start", async () => {
  const cwd = createFolder({ "flowsheet.yaml": "", ...FILES });
  expect(await flowsheet(["run", "--graph", "Slow", "--detach", "--quiet"], { cwd })).toMatchObject({
    code: 0,
  });
  const options = { cwd, config: null, env: {}, console: () => {}, host: "127.0.0.1", port: 0 };
  const server = createFlowsheetServer(options);
  // By now it has opened the store to count what waits.
  await sleep(300);
  const running = await server.listen();
  onTestFinished(() => running.stop(0));
  const list = async () =>
    JSON.parse((await flowsheet(["runs", "list", "--status", "all", "--json"], { cwd })).stdout);
  await expect
    .poll(async () => (await list()).runs[0])
    .toMatchObject({ graph_name: "Slow", status: "completed" });
});

describe("a client that goes", () => {
  test.each([
    ["cancel", "cancelled"],
    ["continue", "completed"],
  ])("with on_disconnect: %s leaves a run that is %s", async (word, status) => {
    const config = `${authentication()}runs: {on_disconnect: ${word}}\n`;
    const service = await startService({ config, files: FILES });
    onTestFinished(() => service.stop());
    const body = JSON.stringify({ graph_name: "Slow" });
    const socket = connect(service.port, "127.0.0.1");
    const head = ["POST /execute HTTP/1.1", "Host: x", ...HEADERS, `Content-Length: ${body.length}`];
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
    await until(service.port, "running");
    socket.destroy();
    await until(service.port, status);
  });
});

describe("a server that does not work", () => {
  test("leaves runs to others, and waits for them", async () => {
    const service = await startService({ files: FILES, works: false });
    onTestFinished(() => service.stop());
    const answer = post(service.port, "/execute", { graph_name: "Slow" });
    await until(service.port, "queued");
    const options = { cwd: service.folder, config: null, env: {}, console: () => {} };
    const worker = await createFlowsheetServer({ ...options, host: "127.0.0.1", port: 0 }).listen();
    onTestFinished(() => worker.stop(1_000));
    expect(await answer).toMatchObject({ status: 200, json: { status: "completed", state: { x: "done" } } });
  });
});

describe("a full disk", () => {
  test("begins nothing, and says so", async () => {
    const cwd = createFolder({ "flowsheet.yaml": authentication(), ...FILES });
    const bin = resolve("dist/cli/server-bin.js");
    // A file may not grow beyond so many blocks of 1,024 bytes; without the signal, a write fails.
    const line = `trap '' XFSZ; ulimit -f 1500; exec "${process.execPath}" "${bin}" --port 0`;
    const child = spawn("bash", ["-c", line], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (text += part));
    const portIn = (): number => Number(/listens on http:\/\/[^:]+:(\d+)/.exec(text)?.[1] ?? 0);
    await expect.poll(portIn).not.toBe(0);
    const begin = (): Promise<RawAnswer> =>
      post(portIn(), "/execute", {
        graph_name: "Hello",
        initial_state: { name: "x".repeat(200_000) },
        options: { detach: true },
      });
    let [answer, begun] = [await begin(), 0];
    for (; answer.status === 202 && begun < 50; begun++) answer = await begin();
    expect([answer.status, answer.json?.["code"], begun > 0]).toEqual([507, "store_unwritable", true]);
    expect(JSON.stringify(answer.json)).not.toContain(cwd);
    expect(await runsOf(portIn(), "graph_name=Hello")).toHaveLength(begun);
  });
});
