import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { BIN } from "../cli/process.js";
import { type Ended, flowsheet } from "../cli/run.js";
import { howMany } from "../how-many.js";
import { sheetOf } from "./sheets.js";

/** How many processes are killed. */
const KILLS = howMany(30, 2, "FLOWSHEET_KILLS");

/** A hundred take a minute; a machine with other work may need long for that. */
const PATIENCE_MS = 900_000;

/** A run that waits twice; between and after the waits agents note that they were called, and take a while. */
const SHEET = sheetOf(
  "Life,Before,First,note,,,,before,,",
  "Life,First,Middle,input,,,,first,?,",
  "Life,Middle,Second,note,,,first,middle,,",
  "Life,Second,After,input,,,,second,?,",
  "Life,After,Last,note,,,second,after,,",
  "Life,Last,,echo,,,before|middle|after,last,{before} {middle} {after},",
);
const AGENT = `import { appendFileSync } from "node:fs";
import { defineAgent } from "flowsheet";
export const note = defineAgent(async (inputs, { key, node }) => {
  appendFileSync("calls", key + "\\n");
  await new Promise((resolve) => setTimeout(resolve, 3));
  return [node, ...Object.values(inputs)].join("-");
});`;

/** On a machine that slows down a run may die more often without getting on than the usual five times: it is not stuck. */
const CONFIG = "runs:\n  keep: waiting\n  recoveries: 1000\n";

/** A seeded source of numbers from 0 to 1: a failure prints its seed. */
function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * How long a command takes here and now, in milliseconds. It is learned from those that came to their end, so that kills
 * hit all parts of a command's life on a fast machine as on one with other work.
 */
let span = 200;

/** Runs a command that is killed after a part of its usual time, unless it is quicker. */
async function killedSoon(
  part: number,
  args: readonly string[],
  cwd: string,
): Promise<{ readonly killed: boolean; readonly stdout: string; readonly why: string }> {
  const began = performance.now();
  const child = spawn(process.execPath, [BIN, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), span * part);
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  const killed = signal === "SIGKILL";
  span = killed ? span * 1.03 : (span + performance.now() - began) / 2;
  return { killed, stdout, why: `${code ?? signal}: ${stderr}` };
}

interface Listed {
  readonly run_id: string;
  readonly status: string;
  readonly waiting: readonly { readonly node: string }[];
}

async function runs(cwd: string): Promise<readonly Listed[]> {
  const { stdout } = await flowsheet(["runs", "list", "--status", "all", "--json"], { cwd });
  return (JSON.parse(stdout) as { runs: readonly Listed[] }).runs;
}

test(
  `R21: kill -9 at any moment, ${KILLS} times: no suspended run is lost, none is resumed twice`,
  async () => {
    const seed = Date.now() % 1_000_000;
    const chance = createChance(seed);
    let [kills, lives] = [0, 0];
    while (kills < KILLS) {
      const cwd = createFolder({
        "life.csv": SHEET,
        "agents/note.js": AGENT,
        "flowsheet.yaml": CONFIG,
      });
      lives += 1;
      kills += await live(cwd, chance).catch((error: unknown) => {
        throw new Error(`seed ${seed}, life ${lives}, kill ${kills}: ${String(error)}`, { cause: error });
      });
    }
    expect(kills).toBeGreaterThanOrEqual(KILLS);
  },
  PATIENCE_MS,
);

/** One run from its beginning to its end; answers how many processes were killed on the way. */
async function live(cwd: string, chance: () => number): Promise<number> {
  let kills = 0;
  // To the first wait: a run that was killed before it was stored never was.
  let known: readonly Listed[] = [];
  while (known.length === 0) {
    // Seldom before: that is no part of its life.
    const { killed } = await killedSoon(0.9 + 0.5 * chance(), ["run", "life.csv", "--json"], cwd);
    known = await runs(cwd);
    kills += Number(killed && known.length > 0);
  }
  const calls = (): readonly string[] => readFileSync(join(cwd, "calls"), "utf8").trim().split("\n");
  const id = known[0]?.run_id ?? "";
  const earlier = calls().filter((key) => !key.startsWith(id)).length;
  for (let done = false; !done; ) {
    const [listed, ...more] = await runs(cwd);
    expect([listed?.run_id, more]).toEqual([id, []]);
    const node = listed?.waiting[0]?.node;
    const answer = node === undefined ? [] : ["--answer", `${node}=${node}`];
    const { killed, stdout, why } = await killedSoon(
      0.4 + 0.85 * chance(),
      ["resume", id, "--json", ...answer],
      cwd,
    );
    kills += Number(killed);
    // A process that told the end has ended the run, however soon it was killed afterwards.
    const told = parsed(stdout);
    if (told?.["status"] === "completed") {
      expect(told["state"]).toMatchObject({ last: "Before Middle-First After-Second" });
      expect(told["path"]).toEqual(["Before", "First", "Middle", "Second", "After", "Last"]);
    }
    // Whoever was killed before it could tell the end leaves the run for the next one.
    done = (await runs(cwd)).length === 0;
    if (!killed) expect(told?.["status"], why).toBe(done ? "completed" : "suspended");
  }
  const own = calls().slice(earlier);
  // What had ended when the run was stored was never run again; what was cut short has one key for all attempts.
  expect(own.filter((key) => key === `${id}/Before/1`)).toHaveLength(1);
  expect(new Set(own)).toEqual(new Set(["Before", "Middle", "After"].map((node) => `${id}/${node}/1`)));
  expect(own).toEqual([...own].sort((a, b) => rank(a) - rank(b)));
  const again: Ended = await flowsheet(["resume", id], { cwd });
  expect([again.code, again.stdout]).toEqual([2, ""]);
  return kills;
}

const rank = (key: string): number => ["Before", "Middle", "After"].indexOf(key.split("/")[1] ?? "");

function parsed(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}
