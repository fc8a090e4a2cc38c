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

const folder = mkdtempSync(join(tmpdir(), "flowsheet-bench-http-"));
mkdirSync(join(folder, "workflows"));
mkdirSync(join(folder, "agents"));
const rows = [1, 2, 3, 4, 5].map(
  (i) =>
    `Five,N${i},${i < 5 ? `N${i + 1}` : ""},echo,${i === 1 ? "name" : `f${i - 1}`},f${i},Hello {${i === 1 ? "name" : `f${i - 1}`}}`,
);
writeFileSync(
  join(folder, "workflows/five.csv"),
  `graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt\n${rows.join("\n")}\n`,
);
writeFileSync(
  join(folder, "workflows/slow.csv"),
  "graph_name,node_name,agent_type,output_field\nSlow,Wait,slow,x\n",
);
writeFileSync(
  join(folder, "agents/slow.js"),
  'import { defineAgent } from "flowsheet";\nexport const SlowAgent = defineAgent(async () => { await new Promise((done) => setTimeout(done, 1000)); return "done"; });\n',
);
const digest = createHash("sha256").update(KEY).digest("hex");
writeFileSync(
  join(folder, "flowsheet.yaml"),
  `execution: {concurrency: 100}
authentication:
  enabled: true
  api_keys:
    bench: {key: "sha256:${digest}", permissions: [execute], user_id: bench}
logging:
  loggers:
    flowsheet.http: {level: WARNING, handlers: [console]}
`,
);

/** Starts a server; gives its address and how to end it. */
function start(args) {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
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

const ours = await start([bin, "--port", "0"]);
const theirs = await start([bare]);
try {
  await load(ours.url, { duration: sized(2, 1) });
  await load(theirs.url, { duration: sized(2, 1) });
  const own = [];
  const other = [];
  for (let round = 0; round < ROUNDS; round++) {
    own.push(await power(ours));
    other.push(await power(theirs));
  }
  // The agent is loaded before it is needed in a hurry.
  await fetch(`${ours.url}/execute`, { method: "POST", headers, body: slow });
  const over = [];
  for (let round = 0; round < ROUNDS; round++) over.push(await refusals(ours));
  const statuses = over.flatMap((one) => Object.entries(one.statuses));
  const count = (status) => statuses.reduce((sum, [name, times]) => sum + (name === status ? times : 0), 0);
  const recovered = await recovery(ours.url);
  console.log(
    JSON.stringify({
      ratio: median(own.map((one) => one.power)) / median(other.map((one) => one.power)),
      ours: median(own.map((one) => one.rate)),
      theirs: median(other.map((one) => one.rate)),
      errors: [...own, ...over].reduce((sum, one) => sum + one.errors, 0),
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
  ours.end();
  theirs.end();
  rmSync(folder, { recursive: true, force: true });
}
