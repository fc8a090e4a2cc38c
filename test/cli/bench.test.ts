import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compare, perSecond, statisticsOf } from "../../cli/bench/statistics.js";
import { createFolder } from "./folder.js";
import { flowsheetProcess } from "./process.js";
import { flowsheet } from "./run.js";
import { CLEAN } from "./sheets.js";

const ROWS = "graph,node,next_node,agent,inputs,output,prompt,context\n";

interface Times {
  readonly [name: string]: number;
}
interface Report {
  readonly graph_name: string;
  readonly runs: number;
  readonly not_generated: string | null;
  readonly rss_bytes: number;
  readonly comparison: { readonly clear: boolean; readonly noise: number; readonly difference: number };
  readonly variants: readonly (Times & {
    readonly name: string;
    readonly rounds_us: readonly number[];
    readonly nodes: readonly (Times & { readonly node: string })[];
  })[];
}

describe("statistics", () => {
  test("quantiles lie between neighbours", () => {
    const times = Array.from({ length: 101 }, (_, index) => 100 - index);
    expect(statisticsOf(times)).toMatchObject({
      median: 50,
      p95: 95,
      p99: 99,
      min: 0,
      max: 100,
      q1: 25,
      q3: 75,
    });
    expect(statisticsOf([1, 2]).median).toBe(1.5);
    expect(statisticsOf([3])).toMatchObject({ median: 3, p99: 3, mean: 3 });
  });

  test.each([
    [2_100, 0.476, 0.47619],
    [604, 1.66, 1.65563],
    [0.00818, 122_000, 122_249],
    [7_000_000, 0.000143, 0.000142857],
  ])("runs of %s ms: %s of them a second", (ms, shown, exact) => {
    expect([perSecond(statisticsOf([ms]), 3), perSecond(statisticsOf([ms]), 6)]).toEqual([shown, exact]);
  });

  test("a difference that is no larger than that of the rounds is noise", () => {
    expect(compare([10, 11, 12], [9, 10, 11]).isClear).toBe(false);
    expect(compare([10, 10.1, 10.2], [5, 5.1, 5.2])).toMatchObject({ isClear: true });
    expect(compare([10], [5])).toMatchObject({ isClear: false, isUnknown: true });
  });
});

describe("a report", () => {
  test("as JSON: both variants, their rounds and nodes; nothing is left behind", async () => {
    const cwd = createFolder({ "a.csv": CLEAN });
    const args = ["bench", "a.csv", "--input", "question=why", "--runs", "55", "--json"];
    const { stdout, stderr, code } = await flowsheet(args, { cwd });
    expect([code, stderr]).toEqual([0, ""]);
    const report = JSON.parse(stdout) as Report;
    expect([report.graph_name, report.runs, report.not_generated]).toEqual(["Support", 55, null]);
    expect(report.rss_bytes).toBeGreaterThan(1_000_000);
    expect(report.variants.map(({ name }) => name)).toEqual(["interpreted", "generated"]);
    for (const variant of report.variants) {
      const {
        min_us: min = 0,
        q1_us: q1 = 0,
        median_us: median = 0,
        q3_us: q3 = 0,
        max_us: max = 0,
      } = variant;
      expect(min).toBeGreaterThan(0);
      const rising = [min, q1, median, q3, variant["p95_us"] ?? 0, variant["p99_us"] ?? 0, max];
      expect(rising).toEqual([...rising].sort((a, b) => a - b));
      expect(variant.rounds_us).toHaveLength(10);
      expect(variant.nodes.map(({ node, visits_per_run: visits }) => [node, visits])).toEqual([
        ["Ask", 1],
        ["Answer", 1],
      ]);
    }
    const { clear, difference, noise } = report.comparison;
    expect(clear).toBe(difference > noise);
    expect(readdirSync(join(cwd, ".flowsheet", "cache"))).toEqual([]);
    expect(existsSync(join(cwd, "generated"))).toBe(false);
  });

  test("few runs: it says what they are worth", async () => {
    const cwd = createFolder({ "a.csv": CLEAN });
    const { stdout } = await flowsheet(["bench", "a.csv", "--input", "question=why", "--runs", "3"], { cwd });
    expect(stdout).toContain("Support, 2 nodes: 3 runs each, in turn");
    expect(stdout).toContain("With less than 100 runs, p99 is little more than the slowest run.");
    expect(stdout).toMatch(/^No difference can be told: |^\w+ is [\d.]+ times as fast as /m);
  });

  test.each(["1", "2"])("%s runs tell nothing of a difference", async (runs) => {
    const cwd = createFolder({ "a.csv": CLEAN });
    const { stdout } = await flowsheet(["bench", "a.csv", "--input", "question=why", "--runs", runs], {
      cwd,
    });
    expect(stdout).toContain(
      "\nNo difference can be told: so few runs tell nothing of it; 3 are needed at least.\n",
    );
    expect(stdout).not.toContain("the medians differ");
  });

  test("a slow graph without --runs: as many as fit", async () => {
    const cwd = createFolder({
      "a.csv": `${ROWS}G,A,,slow,,x,,\n`,
      "agents/slow.ts":
        'import { defineAgent } from "flowsheet";\nexport const slow = defineAgent((_: object) => new Promise<number>((resolve) => setTimeout(() => resolve(1), 250)));\n',
    });
    const { stdout, stderr, code } = await flowsheet(["bench", "a.csv", "--json"], { cwd });
    const { runs, variants } = JSON.parse(stdout) as Report;
    expect(code).toBe(0);
    expect(stderr).toBe("note: your own agents run as they are, each time: slow\n");
    expect(runs).toBeLessThan(30);
    expect(variants[0]?.["median_us"]).toBeGreaterThan(200_000);
  });
});

describe("refused", () => {
  test("a node that waits: 2, with the way to answer beforehand", async () => {
    const cwd = createFolder({ "a.csv": CLEAN });
    const { stdout, stderr, code } = await flowsheet(["bench", "a.csv"], { cwd });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain('"Ask" waits for an answer, and nobody answers in a bench');
    expect(stderr).toContain("--input question=…");
  });

  test("a run that fails: 1, with its cell", async () => {
    const cwd = createFolder({ "a.csv": `${ROWS}G,A,,csv_reader,,x,,"{""collection"":""no""}"\n` });
    const { stdout, stderr, code } = await flowsheet(["bench", "a.csv"], { cwd });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("only runs that complete are timed");
    expect(stderr).toContain("cell D2 · graph G · node A");
  });

  test("what writes files, or asks a model: 2; --yes does it all the same, a mock needs none", async () => {
    const writer = 'G,A,,json_writer,q,x,,"{""collection"":""log""}"';
    const model = 'M,Ask,,llm,,y,Hello,"{""provider"":""big""}"';
    const cwd = createFolder({
      "w.csv": `${ROWS}${writer}\n`,
      "m.csv": `${ROWS}${model}\n`,
      "m2.csv": `${ROWS}${model.replace("big", "fake")}\n`,
      "flowsheet.yaml":
        "workflows: .\nllm:\n  providers:\n    big: { kind: openai-compatible, base_url: 'http://127.0.0.1:9' }\n    fake: { kind: mock }\n",
    });
    const refused = await flowsheet(["bench", "w.csv", "--input", "q=1"], { cwd });
    expect(refused.stderr).toContain('and "A" writes files');
    expect([refused.code, existsSync(join(cwd, "data"))]).toEqual([2, false]);
    const asked = await flowsheet(["bench", "m.csv"], { cwd });
    expect([asked.code, asked.stderr.includes('"Ask" asks a model')]).toEqual([2, true]);
    const done = await flowsheet(["bench", "w.csv", "--yes", "--input", "q=1", "--runs", "2"], { cwd });
    expect([done.code, existsSync(join(cwd, "data"))]).toEqual([0, true]);
    expect(done.stderr).toContain('each run has its effects: "A" writes files');
    const mocked = await flowsheet(["bench", "m2.csv", "--runs", "2"], { cwd });
    expect([mocked.code, mocked.stderr]).toEqual([0, ""]);
  });

  test.each(["0", "-1", "1.5", "many", "1000001"])("--runs %s: 2", async (runs) => {
    const cwd = createFolder({ "a.csv": CLEAN });
    const { code, stdout } = await flowsheet(["bench", "a.csv", `--runs=${runs}`], { cwd });
    expect([code, stdout]).toEqual([2, ""]);
  });
});

/** Tells once that runs are measured. */
const TOLD = `import { defineAgent } from "flowsheet";
let runs = 0;
export const told = defineAgent(() => {
  if (++runs === 100) console.error("at work");
  return runs;
});`;

test("Ctrl-C: 130, without a report", async () => {
  const cwd = createFolder({
    "a.csv": "graph_name,node_name,agent_type,output_field\nG,A,told,out\n",
    "agents/told.js": TOLD,
  });
  const ended = await flowsheetProcess(["bench", "a.csv", "--yes", "--runs", "1000000"], {
    cwd,
    started: (child) =>
      child.stderr?.on("data", (text) => `${text}`.includes("at work") && child.kill("SIGINT")),
  });
  expect([ended.code, ended.stdout]).toEqual([130, ""]);
});
