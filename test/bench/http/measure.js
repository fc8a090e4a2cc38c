// Measures the server under load, beside bare Express in the same run; prints the figures as JSON.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { sized } from "../size.js";
import { overload } from "./overload.js";

const KEY = "fsk_bench-0123456789-0123456789-01234567";
const ROUNDS = sized(3, 1);
const SECONDS = sized(4, 1);
/** The slow agent takes a second: a hundred places serve a hundred requests a second. */
const OVERLOAD_RATE = 1_000;
const bare = fileURLToPath(new URL("bare.js", import.meta.url));
const bin = resolve("dist/cli/server-bin.js");

const digest = createHash("sha256").update(KEY).digest("hex");
const configuration = (keep) => `execution: {concurrency: 100}
runs: {keep: ${keep}}
authentication:
  enabled: true
  api_keys:
    bench: {key: "sha256:${digest}", permissions: [execute], user_id: bench}
logging:
  loggers:
    flowsheet.http: {level: WARNING, handlers: [console]}
`;
const rows = [1, 2, 3, 4, 5].map(
  (i) => `Five,N${i},${i < 5 ? `N${i + 1}` : ""},step,${i === 1 ? "value=name" : `value=f${i - 1}`},f${i}`,
);
const files = {
  "workflows/five.csv": `graph_name,node_name,next_node,agent_type,input_fields,output_field\n${rows.join("\n")}\n`,
  "workflows/slow.csv": "graph_name,node_name,agent_type,output_field\nSlow,Wait,slow,x\n",
  "agents/step.js":
    'import { defineAgent } from "flowsheet";\nexport const StepAgent = defineAgent(async ({ value }) => value);\n',
  "agents/slow.js":
    'import { defineAgent } from "flowsheet";\nexport const SlowAgent = defineAgent(async () => { await new Promise((done) => setTimeout(done, 1000)); return "done"; });\n',
};
const root = mkdtempSync(join(tmpdir(), "flowsheet-bench-http-"));

/** A project that keeps all of its runs, or only those that wait. */
function project(keep) {
  const folder = join(root, keep);
  for (const name of ["workflows", "agents"]) mkdirSync(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "flowsheet.yaml"), configuration(keep));
  return folder;
}

/** Starts a server; gives its address and how to end it. */
function start(args, cwd = root) {
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((done, fail) => {
    let text = "";
    child.on("exit", (code) => fail(new Error(`the server ended with ${code}: ${text}`)));
    child.stdout.on("data", (part) => {
      text += part;
      const url = /listens on (http:\S+)/.exec(text)?.[1];
      if (url !== undefined)
        done({ url, pid: child.pid, end: () => child.removeAllListeners("exit") && child.kill("SIGKILL") });
    });
  });
}

const body = JSON.stringify({ graph_name: "Five", initial_state: { name: "Ada" } });
const slow = JSON.stringify({ graph_name: "Slow" });
const headers = { "content-type": "application/json", "x-api-key": KEY };
const load = (url, options = {}) =>
  autocannon({
    url: `${url}/execute`,
    method: "POST",
    headers,
    body,
    connections: 100,
    duration: SECONDS,
    ...options,
  });

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const quantile = (values, q) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * q)] ?? 0;

/** Seconds of processor time that a process has had; NaN where /proc does not tell. */
function cpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

/** Seconds that a process was ready to run and no core was free; NaN where /proc does not tell. */
function waitedSeconds(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e9;
  } catch {
    return Number.NaN;
  }
}

/** Requests a second of the server's processor time: what others do on the machine does not change it much. */
async function power(server) {
  const before = cpuSeconds(server.pid);
  const { requests, errors, non2xx } = await load(server.url);
  const cpu = cpuSeconds(server.pid) - before;
  return { rate: requests.average, power: requests.total / cpu || requests.average, errors: errors + non2xx };
}

/** Ten times as many requests as there is room for: how soon the refused ones are told. */
async function refusals({ url, pid }) {
  const before = waitedSeconds(pid);
  const wanted = { url, headers, body: slow, rate: OVERLOAD_RATE, seconds: SECONDS };
  const { statuses, refused, errors } = await overload(wanted);
  const waited = waitedSeconds(pid) - before;
  return { statuses, errors, waited, p50: quantile(refused, 0.5), p99: quantile(refused, 0.99) };
}

/** How many seconds the server needs after the overload until a hundred runs in a row are served. */
async function recovery(url) {
  const began = performance.now();
  for (let good = 0; good < 100; ) {
    const { status } = await fetch(`${url}/execute`, { method: "POST", headers, body });
    good = status === 200 ? good + 1 : 0;
    if (performance.now() - began > 60_000) return Number.POSITIVE_INFINITY;
  }
  return (performance.now() - began) / 1_000;
}

const servers = {
  bare: await start([bare]),
  waiting: await start([bin, "--port", "0"], project("waiting")),
  all: await start([bin, "--port", "0"], project("all")),
};
try {
  // By number, not by time: slow code, too, must have been compiled before it is measured.
  for (const { url } of Object.values(servers)) await load(url, { amount: sized(3_000, 200) });
  const found = { bare: [], waiting: [], all: [] };
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, server] of Object.entries(servers)) found[name].push(await power(server));
  const ours = servers.waiting;
  // The agent is loaded before it is needed in a hurry.
  await fetch(`${ours.url}/execute`, { method: "POST", headers, body: slow });
  const over = [];
  for (let round = 0; round < ROUNDS; round++) over.push(await refusals(ours));
  const statuses = over.flatMap((one) => Object.entries(one.statuses));
  const count = (status) => statuses.reduce((sum, [name, times]) => sum + (name === status ? times : 0), 0);
  const recovered = await recovery(ours.url);
  const powers = Object.fromEntries(
    Object.entries(found).map(([name, rounds]) => [name, median(rounds.map((one) => one.power))]),
  );
  console.log(
    JSON.stringify({
      waiting: powers.waiting / powers.bare,
      all: powers.all / powers.waiting,
      rates: Object.entries(found).map(([name, rounds]) => [name, median(rounds.map((one) => one.rate))]),
      powers,
      errors: [...Object.values(found).flat(), ...over].reduce((sum, one) => sum + one.errors, 0),
      served: count("200"),
      refused: count("503"),
      others: [...new Set(statuses.map(([name]) => name))].filter((name) => name !== "200" && name !== "503"),
      refusedP50: median(over.map((one) => one.p50)),
      refusedP99: median(over.map((one) => one.p99)),
      // Where others take the cores for much of the seconds of a round, the times above are theirs.
      waitedForCores: median(over.map((one) => one.waited)),
      recovered,
    }),
  );
} finally {
  for (const { end } of Object.values(servers)) end();
  rmSync(root, { recursive: true, force: true });
}
