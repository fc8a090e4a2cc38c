// Measures how soon an assistant sees the tools of 200 graphs, with the real client: node test/bench/mcp.js <folder>
// Prints medians in milliseconds: processor time of a whole process, and as long as a person waits for what runs.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { sized } from "./size.js";

const TIMER = resolve("test/bench/processor-time.cjs");
const GRAPHS = 200;
const KEY = "fsk_bench-0123456789-0123456789-01234567";
const folder = join(process.argv[2], "mcp");

/** A sheet a graph, as in a folder that has grown. */
function makeProject() {
  mkdirSync(join(folder, "workflows"), { recursive: true });
  const digest = createHash("sha256").update(KEY).digest("hex");
  const keys = `{enabled: true, api_keys: {bench: {key: "sha256:${digest}", permissions: [execute], user_id: bench}}}`;
  writeFileSync(
    join(folder, "flowsheet.yaml"),
    `server: {mcp: {enabled: true}}\nauthentication: ${keys}\nlogging: {loggers: {flowsheet.http: {level: WARNING, handlers: [console]}}}\n`,
  );
  const header = "graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt\n";
  for (let i = 0; i < GRAPHS; i++)
    writeFileSync(
      join(folder, "workflows", `graph-${i}.csv`),
      `${header}Graph ${i},One,Two,echo,name:string|amount?:number,said,Hello {name}\nGraph ${i},Two,,echo,said,end,\n`,
    );
}

/** Milliseconds until the tools are there, from the connection on, and once more. */
async function listed(transport) {
  const began = performance.now();
  const client = new Client({ name: "bench", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(transport);
  const first = await listOnce(client, began);
  const again = await listOnce(client, performance.now());
  await client.close();
  return { first, again };
}

async function listOnce(client, began) {
  const { tools } = await client.listTools(undefined, { cacheMode: "refresh" });
  if (tools.length < GRAPHS) throw new Error(`only ${tools.length} tools are listed`);
  return performance.now() - began;
}

/** The processor time is that of the process from its start to its end. */
async function overStdio() {
  const file = join(folder, "processor-time");
  const { again } = await listed(
    new StdioClientTransport({
      command: process.execPath,
      args: ["--require", TIMER, resolve("dist/cli/bin.js"), "mcp", "--cwd", folder],
      env: { PATH: process.env.PATH, BENCH_TIME_FILE: file },
      stderr: "inherit",
    }),
  );
  return { first: Number(readFileSync(file, "utf8")), again };
}

/** Of a server that has just started, and of one that knows its sheets. */
async function overHttp() {
  const child = spawn(process.execPath, [resolve("dist/cli/server-bin.js"), "--port", "0"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const url = await new Promise((done, fail) => {
      let text = "";
      child.on("exit", (code) => fail(new Error(`the server ended with ${code}: ${text}`)));
      child.stdout.on("data", (part) => {
        text += part;
        const [found] = /http:\/\/[\w.:]+/.exec(text) ?? [];
        if (found !== undefined) done(found);
      });
    });
    const requestInit = { headers: { "X-API-Key": KEY } };
    return await listed(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit }));
  } finally {
    child.removeAllListeners("exit");
    child.kill();
  }
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

makeProject();
const found = { stdio: [], http: [] };
for (let i = 0; i < sized(5, 1); i++) {
  found.stdio.push(await overStdio());
  found.http.push(await overHttp());
}
const of = (way, which) => median(found[way].map((one) => one[which]));
console.log(
  JSON.stringify({
    "over stdio, processor time of the whole process": of("stdio", "first"),
    "over stdio, again": of("stdio", "again"),
    "over HTTP, from the connection": of("http", "first"),
    "over HTTP, again": of("http", "again"),
  }),
);
