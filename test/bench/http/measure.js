// Measures the server under load, beside bare Express in the same run; prints the figures as JSON.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";

const KEY = "fsk_bench-0123456789-0123456789-01234567";
const ROUNDS = 3;
const SECONDS = 4;
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
  'import { defineAgent } from "flowsheet";\nexport const SlowAgent = defineAgent(async () => { await new Promise((done) => setTimeout(done, 200)); return "done"; });\n',
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

const ours = await start([bin, "--port", "0"]);
const theirs = await start([bare]);
try {
  await load(ours.url, { duration: 2 });
  await load(theirs.url, { duration: 2 });
  const rates = { ours: [], theirs: [] };
  let errors = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const own = await load(ours.url);
    errors += own.errors + own.non2xx;
    rates.ours.push(own.requests.average);
    rates.theirs.push((await load(theirs.url)).requests.average);
  }
  const slow = JSON.stringify({ graph_name: "Slow" });
  const flood = await load(ours.url, { body: slow, connections: 1_000 });
  const statuses = flood.statusCodeStats ?? {};
  const after = await load(ours.url, { duration: 2 });
  console.log(
    JSON.stringify({
      ratio: median(rates.ours) / median(rates.theirs),
      ours: median(rates.ours),
      theirs: median(rates.theirs),
      errors,
      refused: statuses["503"]?.count ?? 0,
      served: statuses["200"]?.count ?? 0,
      others: Object.keys(statuses).filter((status) => status !== "200" && status !== "503"),
      recovery: after.requests.average / median(rates.ours),
      recoveryErrors: after.errors + after.non2xx,
    }),
  );
} finally {
  ours.end();
  theirs.end();
  rmSync(folder, { recursive: true, force: true });
}
