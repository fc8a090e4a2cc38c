// Workbooks against the same sheets as CSV, and files that would be very large when they are read.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { chain } from "../sheets.js";
import { sized } from "../size.js";

const BIN = "dist/cli/bin.js";
const COST = new URL("cost-of-process.js", import.meta.url).href;

/** Bombs are refused: one that is not found, or that is taken for a sheet, would be measured as a fast one. */
const REFUSED = 1;

/** Processor time in milliseconds and the largest memory in MB of a command, which must end as is expected. */
function costOf(folder, { args, ends = 0 }) {
  const file = join(folder, "cost.json");
  const env = { ...process.env, BENCH_COST_FILE: file };
  const { status, stderr } = spawnSync(process.execPath, ["--import", COST, BIN, ...args], {
    encoding: "utf8",
    env,
  });
  if (status !== ends) throw new Error(`${args.join(" ")} exited ${status}: ${stderr}`);
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The least processor time of several commands, run in turn. */
function leastTimes(folder, commands, runs) {
  const least = commands.map(() => Number.POSITIVE_INFINITY);
  for (let i = 0; i < runs; i++)
    for (const [k, command] of commands.entries()) least[k] = Math.min(least[k], costOf(folder, command).ms);
  return least;
}

/** A command looks for graphs in the files beside a sheet, which would count as the cost of the sheet. */
function ownFolder(...path) {
  mkdirSync(join(...path), { recursive: true });
  return join(...path);
}

function writeBoth(folder, text) {
  const csv = join(ownFolder(folder, "csv"), "nodes.csv");
  const book = join(ownFolder(folder, "book"), "nodes.xlsx");
  writeFileSync(csv, text);
  costOf(folder, { args: ["convert", csv, book] });
  return { csv, book };
}

async function writeBombs(folder) {
  const outfile = join(ownFolder(folder), "bombs.mjs");
  const entry = join(import.meta.dirname, "../../workbook/bombs.ts");
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  const { bombs } = await import(pathToFileURL(outfile));
  return sized(Object.entries(bombs), Object.entries(bombs).slice(-1)).map(([name, made]) => {
    const file = join(ownFolder(folder, name), "bomb.xlsx");
    writeFileSync(file, made());
    return file;
  });
}

export async function measureWorkbook(report, folder) {
  const own = join(folder, "workbook");
  const { csv, book } = writeBoth(join(own, "large"), chain(sized(20_000, 100)));
  // Beside the workbook, the annotated one would be read with it in each later round.
  const annotating = ["annotate", book, "--out", join(ownFolder(own, "annotated"), "nodes.xlsx")];
  const commands = [["validate", csv], ["validate", book], annotating].map((args) => ({ args }));
  const [text, read, annotated] = leastTimes(folder, commands, sized(5, 1));
  report("validate of a workbook of 20,000 nodes against the same as CSV", read / text, 2, "x");
  report("annotate of it against validate", annotated / read, 3, "x");
  const small = writeBoth(join(own, "small"), chain(2)).book;
  const bombs = (await writeBombs(join(own, "bombs"))).map((file) => ({
    args: ["validate", file],
    ends: REFUSED,
  }));
  const least = leastTimes(folder, [{ args: ["validate", small] }, ...bombs], sized(3, 1));
  report(
    "the slowest bomb against a workbook of two nodes",
    Math.max(...least.slice(1)) / least[0],
    1.5,
    "x",
  );
  report(
    "the largest bomb: memory of the process",
    Math.max(...bombs.map((bomb) => costOf(folder, bomb).mb)),
    80,
    "MB",
  );
}
