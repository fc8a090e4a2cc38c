// Measures what Flowsheet promises of speed. Times are medians; what counts are the ratios within one run.
// npm run bench            all groups
// npm run bench -- start   one group, by its name below
// npm run bench -- --short small measurements, made once: whether each group still works
// BENCH_TIMES=1 also prints the times behind the ratios of the group driver.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { measureDriver } from "./driver/group.js";
import { measureDurable } from "./durable/group.js";
import { measureHttp } from "./http/group.js";
import { readLarge } from "./large-files.js";
import { measureService } from "./service/group.js";
import {
  chain,
  diamonds,
  loopedDiamonds,
  manyGraphs,
  nestedSplits,
  nestedSplitsOfOneMeeting,
  wideSplit,
} from "./sheets.js";
import { SHORT, sized } from "./size.js";
import { measureStudio } from "./studio/group.js";
import { measureWorkbook } from "./workbook/group.js";

const BIN = "dist/cli/bin.js";
const folder = mkdtempSync(join(tmpdir(), "flowsheet-bench-"));
const rows = [];

/** A sheet as a file in the bench's own folder. */
function sheetFile(name, text) {
  const file = join(folder, `${name}.csv`);
  writeFileSync(file, text);
  return file;
}

/** In a folder of its own: `compile` reads the sheets beside a sheet for the names of their graphs. */
function sheetAlone(name, text) {
  mkdirSync(join(folder, name), { recursive: true });
  return sheetFile(join(name, name), text);
}

/** A configuration as a project would have it. */
function configFile() {
  const file = join(folder, "flowsheet.yaml");
  writeFileSync(
    file,
    "workflows: workflows\nagents: agents\nexecution:\n  max_steps: 500\n  timeout_ms: 60000\n",
  );
  return file;
}

/** Milliseconds of a whole process; it must exit as expected. */
function time(args, program = process.execPath) {
  const began = performance.now();
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} exited ${status}: ${stderr}`);
  return performance.now() - began;
}

const TIMER = join(import.meta.dirname, "processor-time.cjs");

/** Milliseconds of processor time of a whole process: what else the machine does counts less. */
function processorTime(args) {
  const file = join(folder, "processor-time");
  const env = { ...process.env, BENCH_TIME_FILE: file };
  const { status, stderr } = spawnSync(process.execPath, ["--require", TIMER, ...args], {
    encoding: "utf8",
    env,
  });
  if (status !== 0) throw new Error(`${args.join(" ")} exited ${status}: ${stderr}`);
  return Number(readFileSync(file, "utf8"));
}

/** The least processor time of each of several commands, run in turn. */
function leastProcessorTimes(commands, runs) {
  const least = commands.map(() => Number.POSITIVE_INFINITY);
  for (let i = 0; i < runs; i++)
    for (const [k, args] of commands.entries()) least[k] = Math.min(least[k], processorTime(args));
  return least;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Medians of several commands, run in turn so that a slower moment of the machine meets them all. */
function interleaved(commands, runs, program) {
  const times = commands.map(() => []);
  for (const args of commands) time(args, program);
  for (let i = 0; i < runs; i++)
    for (const [k, args] of commands.entries()) times[k].push(time(args, program));
  return times.map(median);
}

/** What a measurement of its own process prints as JSON. */
function dataOf(script) {
  const args = [script, folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} exited ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

function report(what, measured, goal, unit) {
  rows.push({
    what,
    measured: `${measured.toFixed(2)} ${unit}`,
    goal: `<= ${goal} ${unit}`,
    met: measured <= goal ? "yes" : "NO",
  });
}

/** Small measurements are counted, not shown: they say nothing of goals. */
async function measureGroup(name, measure) {
  const before = rows.length;
  await measure();
  if (SHORT) console.log(`${name}: ${rows.length - before} measured`);
}

const groups = {
  start() {
    const twenty = sheetFile("twenty", manyGraphs(20));
    const hello = ["examples/hello.csv", "--input", "name=Ada"];
    const commands = [
      ["-e", "0"],
      [BIN, "--version"],
      [BIN, "validate", twenty],
      [BIN, "run", ...hello],
      [BIN, "run", ...hello, "--config", configFile(), "--no-keep"],
      [BIN, "run", ...hello, "--config", configFile()],
    ];
    const [nothing, version, validate, run, configured, kept] = interleaved(commands, sized(21, 1));
    report("--version against node -e 0", version / nothing, 1.2, "x");
    report("validate of 20 rows against node -e 0", validate / nothing, 1.6, "x");
    report("run of hello against node -e 0", run / nothing, 1.6, "x");
    report("the same with a configuration file, and nothing kept", configured / nothing, 2, "x");
    report("the same with a configuration file, and the run kept", kept / nothing, 3, "x");
  },
  scale() {
    const small = sheetFile("many-10k", manyGraphs(sized(10_000, 100)));
    const large = sheetFile("many-100k", manyGraphs(sized(100_000, 1_000)));
    const commands = [small, large].map((file) => [BIN, "validate", file]);
    const [few, many] = interleaved(commands, sized(3, 1));
    report("100,000 rows against 10,000", many / few, 13, "x");
    const one = sheetFile("one-100k", chain(sized(100_000, 1_000)));
    for (const [name, file] of Object.entries({ "many graphs": large, "one graph": one })) {
      const alone = ["test/bench/csv-parse-alone.js", file];
      const [parse, validate] = leastProcessorTimes([alone, [BIN, "validate", file]], sized(5, 1));
      report(`validate of 100,000 rows in ${name} against csv-parse alone`, validate / parse, 6, "x");
    }
  },
  shapes() {
    const shapes = {
      "a split of 2,000": wideSplit(sized(2_000, 20)),
      "a chain of 20,000 nodes with one handler": chain(sized(20_000, 200)),
      "diamonds, 20,000 nodes": diamonds(sized(20_000, 200)),
      "diamonds in a loop, 20,000 nodes": loopedDiamonds(sized(20_000, 200)),
      "a cell of 1,000,000 braces": `graph_name,node_name,prompt\nBraces,One,${"{".repeat(sized(1_000_000, 10_000))}\n`,
    };
    const names = Object.keys(shapes);
    const commands = names.map((name, i) => [
      BIN,
      "validate",
      sheetFile(`shape-${i}`, shapes[name]),
      "--quiet",
    ]);
    for (const [i, ms] of interleaved(commands, sized(3, 1)).entries()) report(names[i], ms / 1000, 1.5, "s");
  },
  nesting() {
    const shapes = { "one after the other": nestedSplits, "at one node": nestedSplitsOfOneMeeting };
    const [start] = interleaved([[BIN, "--version"]], sized(5, 1));
    for (const [name, shape] of Object.entries(shapes)) {
      const files = sized([1_000, 2_000], [50, 100]).map((depth) =>
        sheetFile(`${shape.name}-${depth}`, shape(depth)),
      );
      const [half, whole] = interleaved(
        files.map((file) => [BIN, "validate", file, "--quiet"]),
        sized(7, 1),
      );
      // The start of the program is the same for both, and would hide how they grow.
      report(
        `splits nested 2,000 deep against 1,000, meeting ${name}`,
        (whole - start) / (half - start),
        3,
        "x",
      );
      const [spent] = leastProcessorTimes([[BIN, "validate", files[1], "--quiet"]], sized(5, 1));
      report(`splits nested 2,000 deep, meeting ${name}: processor time`, spent / 1000, 0.5, "s");
    }
  },
  compile() {
    const out = (name) => ["--out", join(folder, `out-${name}`)];
    const compile = (name, sheet) => [BIN, "compile", sheet, ...out(name)];
    const small = compile("hello", "examples/hello.csv");
    const [nothing, hello] = interleaved([["-e", "0"], small], sized(11, 1));
    report("compile of hello against node -e 0", hello / nothing, 8, "x");
    const sizes = sized([1_000, 10_000], [10, 100]).map((nodes) =>
      compile(nodes, sheetAlone(`compiled-${nodes}`, chain(nodes))),
    );
    const [few, many] = interleaved(sizes, sized(3, 1));
    const [, large] = sizes;
    const [validate, compiled] = leastProcessorTimes([[BIN, "validate", large[2]], large], sized(5, 1));
    report("compile of 10,000 nodes against validate", compiled / validate, 2.5, "x");
    report("10,000 nodes against 1,000", many / few, 13, "x");
  },
  types() {
    const project = join(folder, "types");
    mkdirSync(join(project, "node_modules"), { recursive: true });
    symlinkSync(process.cwd(), join(project, "node_modules/flowsheet"));
    writeFileSync(join(project, "package.json"), '{ "type": "module" }');
    const compilerOptions = { module: "nodenext", strict: true, noEmit: true, types: [], skipLibCheck: true };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    time([BIN, "compile", sheetFile("typed", chain(1_000)), "--out", join(project, "generated")]);
    // The compiler itself: its starter in JavaScript would add the time in which Node starts.
    const native = createRequire(createRequire(import.meta.url).resolve("@typescript/native/package.json"));
    const { platform, arch } = process;
    const own = native.resolve(`@typescript/typescript-${platform}-${arch}/package.json`);
    const [ms] = interleaved([["-p", project]], sized(5, 1), join(dirname(own), "lib/tsc"));
    report("type-check of 1,000 nodes, the compiler's start included", ms / 1000, 0.5, "s");
  },
  storage() {
    for (const kind of ["csv", "jsonl"]) {
      const { rss, ms } = readLarge(folder, { kind, rows: sized(1_000_000, 10_000) });
      report(`1,000,000 ${kind} rows with a filter: memory`, rss, 300, "MB");
      report(`1,000,000 ${kind} rows with a filter: time`, ms / 1000, 20, "s");
    }
  },
  driver() {
    measureDriver(report);
  },
  http() {
    measureHttp(report);
  },
  durable() {
    return measureDurable(report);
  },
  service() {
    return measureService(report, folder);
  },
  studio() {
    return measureStudio(report, folder);
  },
  workbook() {
    return measureWorkbook(report, folder);
  },
  over() {
    const args = ["--expose-gc", "test/bench/over.js", folder];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`node ${args.join(" ")} exited ${status}: ${stderr}`);
    const { loop, alone, heapMb } = JSON.parse(stdout);
    report("10,000 items in a graph of 10 nodes against as many runs", loop / alone, 2, "x");
    report("heap after collection, from item 1,000 to 10,000", heapMb, 10, "MB");
  },
  observer() {
    const times = dataOf("test/bench/observer.js");
    const ratios = dataOf("test/bench/slotless.js");
    for (const kind of ["calls", "computes"]) {
      report(
        `a node that ${kind}: nobody observing, against a driver without observers`,
        ratios[kind],
        1.05,
        "x",
      );
      const off = times[`${kind} off`];
      report(`a node that ${kind}: observed, nobody registered`, times[`${kind} unheard`] - off, 10, "µs");
      report(`a node that ${kind}: observed with an SDK`, times[`${kind} heard`] - off, 50, "µs");
    }
  },
  mcp() {
    const lists = dataOf("test/bench/mcp.js");
    for (const [way, ms] of Object.entries(lists)) report(`MCP: 200 graphs listed, ${way}`, ms, 1_000, "ms");
  },
  runs() {
    const { lists, page, pruned } = dataOf("test/bench/kept-runs.js");
    for (const [name, ratio] of Object.entries(lists))
      report(`two pages of 1,000,000 ended runs against 1,000: ${name}`, ratio, 2, "x");
    report("the page of one of 1,000,000 runs against one of 1,000", page, 2, "x");
    report("a file of runs after pruning nine tenths against before", pruned, 0.2, "x");
  },
};

const [wanted] = process.argv.slice(2).filter((arg) => arg !== "--short");
if (wanted !== undefined && groups[wanted] === undefined) {
  console.error(`there is no group "${wanted}"; groups are ${Object.keys(groups).join(", ")}`);
  process.exitCode = 2;
} else {
  for (const [name, measure] of Object.entries(groups))
    if (wanted === undefined || wanted === name) await measureGroup(name, measure);
  if (!SHORT) console.table(rows);
  console.log(`node ${process.version}, load average ${loadavg()[0].toFixed(1)}`);
}
rmSync(folder, { recursive: true, force: true });
