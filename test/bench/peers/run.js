// What a node costs beside its own work: Flowsheet against LangGraph.js and XState. See README.md.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { engines } from "./engines.js";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const BIN = fileURLToPath(new URL("../../../dist/cli/bin.js", import.meta.url));
const SIZES = [10, 100];
const ROUNDS = 5;
const MEASURE_MS = 600;

/** Runs one engine in this process, warm, and prints nanoseconds a node. */
async function measure(engine, count, made) {
  const run = await engines[engine](count, made);
  if ((await run()) !== "Ada") throw new Error(`${engine} does not carry the value through`);
  const batch = async (ms) => {
    const began = performance.now();
    let runs = 0;
    for (; performance.now() - began < ms || runs < 3; runs++) await run();
    return (performance.now() - began) / runs;
  };
  await batch(MEASURE_MS / 2);
  console.log(((await batch(MEASURE_MS)) * 1e6) / count);
}

/** A folder with the line as a sheet, its agent, and the module that `compile` makes of it. */
async function makeProject() {
  const { transform } = await import("esbuild");
  // Inside the repository, so that the module's imports of flowsheet find it; outside of this package.
  const made = mkdtempSync(join(HERE, "..", "made-"));
  mkdirSync(join(made, "agents"));
  writeFileSync(
    join(made, "agents/step.js"),
    'import { defineAgent } from "flowsheet";\nexport const step = defineAgent(async ({ value }) => value);\n',
  );
  for (const count of SIZES) {
    const sheet = join(made, `line-${count}.csv`);
    writeFileSync(sheet, lineSheet(count));
    execFileSync(process.execPath, [BIN, "compile", sheet, "--out", "generated", "--cwd", made, "--quiet"]);
    const module = readFileSync(join(made, `generated/line-${count}.gen.ts`), "utf8");
    const { code } = await transform(module, { loader: "ts", format: "esm" });
    writeFileSync(join(made, `line-${count}.mjs`), code.replaceAll('"../agents/', '"./agents/'));
  }
  return made;
}

function lineSheet(count) {
  const rows = Array.from({ length: count }, (_, i) => {
    const next = i === count - 1 ? "" : `N${i + 1}`;
    return `Line ${count},N${i},${next},step,value=f${i},f${i + 1}`;
  });
  return `graph_name,node_name,next_node,agent_type,input_fields,output_field\n${rows.join("\n")}\n`;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Medians of fresh processes, in turn, so that a slower moment of the machine meets all engines. */
function interleaved(count, made) {
  const times = Object.fromEntries(Object.keys(engines).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of Object.keys(engines)) {
      const args = [fileURLToPath(import.meta.url), "--measure", name, String(count), made];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: HERE });
      if (status !== 0) throw new Error(`${name} with ${count} nodes: ${stderr}`);
      times[name].push(Number(stdout));
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
}

function compare(made) {
  const goals = [];
  for (const count of SIZES) {
    const ns = interleaved(count, made);
    const over = (name) => ns[name] - ns.bare;
    console.log(`\nN=${count}: ns a node, median of ${ROUNDS} processes`);
    console.table(
      Object.fromEntries(
        Object.entries(ns).map(([name, all]) => [
          name,
          { all: Math.round(all), "over bare": Math.round(over(name)) },
        ]),
      ),
    );
    for (const [peer, goal] of [
      ["langgraph", 1000],
      ["xstate", 100],
    ]) {
      for (const ours of ["interpreted", "generated"]) {
        // A difference below a nanosecond is no difference that can be measured.
        const ratio = over(peer) / Math.max(over(ours), 1);
        const what = `N=${count}: ${ours}, times less than ${peer}`;
        goals.push({ what, ratio: Math.round(ratio), goal: `>= ${goal}`, met: ratio >= goal ? "yes" : "NO" });
      }
    }
  }
  console.table(goals);
  console.log(`node ${process.version}, load average ${loadavg()[0].toFixed(1)}`);
}

const [mode, engine, count, made] = process.argv.slice(2);
if (mode === "--measure") await measure(engine, Number(count), made);
else {
  const folder = await makeProject();
  try {
    compare(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
