// Reads a large file through a sheet, in a process of its own whose memory is measured.
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const DIST = new URL("../../dist/runtime/index.js", import.meta.url).href;
const PEAK = new URL("peak-memory.js", import.meta.url).href;
const BATCH = 10_000;

const READ = `
  const { Flowsheet } = await import(${JSON.stringify(DIST)});
  const { peakMemory } = await import(${JSON.stringify(PEAK)});
  const began = performance.now();
  const { state, error } = await new Flowsheet().runWorkflow({ csvPath: "large.csv" });
  const ms = performance.now() - began;
  const rss = peakMemory();
  console.log(JSON.stringify({ rss, ms, found: state.found?.length, error }));
`;

const lines = {
  csv: (i) => `${i},Customer ${i},${i % 7 === 0 ? "Rome" : "Oslo"},"note, of ${i}",${i * 3}\n`,
  jsonl: (i) =>
    `{"id":${i},"name":"Customer ${i}","city":"${i % 7 === 0 ? "Rome" : "Oslo"}","sum":${i * 3}}\n`,
};

/** Writes a file of so many rows, of which 1 in 1,000 matches, and reads it: megabytes, milliseconds, matches. */
export function readLarge(folder, { kind, rows }) {
  mkdirSync(join(folder, "data"), { recursive: true });
  const file = openSync(join(folder, "data", `large.${kind}`), "w");
  if (kind === "csv") writeSync(file, "id,name,city,note,sum\n");
  for (let i = 0; i < rows; i += BATCH)
    writeSync(file, Array.from({ length: Math.min(BATCH, rows - i) }, (_, k) => lines[kind](i + k)).join(""));
  closeSync(file);
  const agent = kind === "csv" ? "csv_reader" : "json_reader";
  const query = '{""filter"": {""name"": ""*000"", ""id"": "">0""}, ""sort"": ""sum"", ""order"": ""desc""}';
  const header = "graph_name,node_name,agent_type,output_field,prompt,context.query";
  writeFileSync(join(folder, "large.csv"), `${header}\nLarge,Read,${agent},found,large.${kind},"${query}"\n`);
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", READ], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
