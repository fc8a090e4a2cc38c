import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { readCall } from "../../cli/line/call.js";
import type { Given } from "../../cli/line/verb.js";
import { verbs } from "../../cli/line/verbs.js";
import { createContext, type Output, type Surroundings } from "../../cli/process/context.js";
import { runCall } from "../../cli/run-call.js";

/** A command line, and what comes of it: a command with what it is given, or an answer. */
interface Line {
  readonly args: readonly string[];
  readonly verb?: string;
  readonly operands?: readonly string[];
  /** What commands ask for by an option's name: whether it is set, its text, its list. */
  readonly values?: { readonly [name: string]: readonly [boolean, string | null, readonly string[]] };
  readonly globals?: object;
  readonly code?: number;
  /** Its first line. */
  readonly stdout?: string;
  readonly stderr?: string;
}

/** What commander, which read command lines once, made of them. */
const lines = readFileSync(new URL("command-lines.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Line);

afterEach(() => {
  vi.restoreAllMocks();
});

async function outcome(args: readonly string[]): Promise<Line> {
  const out = { stdout: "", stderr: "" };
  const output = (name: keyof typeof out): Output => ({
    write: (text) => (out[name] += text),
    isTerminal: () => false,
    columns: () => null,
  });
  const around: Surroundings = {
    stdout: output("stdout"),
    stderr: output("stderr"),
    stdin: { isTerminal: () => false, chunks: () => process.stdin },
    env: {},
    cwd: "/",
  };
  const call = readCall(args);
  const called: Line[] = [];
  for (const verb of verbs)
    vi.spyOn(verb, "run").mockImplementation(async (_context, operands, given) => {
      called.push({ args, verb: verb.name, operands, values: valuesIn(given), globals: call.globals });
      return 0;
    });
  const code = await runCall(call, createContext(around, call.globals));
  const [stdout] = out.stdout.split("\n", 1);
  const stderr = out.stderr.startsWith("Usage:") ? out.stderr.split("\n", 1)[0]! : out.stderr;
  return called[0] ?? { args, code, stdout: stdout!, stderr };
}

const names = new Set(
  verbs.flatMap(({ options }) =>
    options.map(([flags]) =>
      flags
        .split(/[ [=]/, 1)[0]!
        .slice(2)
        .replace(/-(.)/g, (_match, letter: string) => letter.toUpperCase()),
    ),
  ),
);

function valuesIn(given: Given): NonNullable<Line["values"]> {
  const all = [...names].map((name) => [name, given.flag(name), given.text(name), given.list(name)] as const);
  return Object.fromEntries(
    all
      .filter(([, flag, text, list]) => flag || text !== null || list.length > 0)
      .map(([name, ...value]) => [name, value]),
  );
}

describe("command lines", () => {
  test("are read as commander read them", async () => {
    expect(lines.filter(({ verb }) => verb !== undefined).length).toBeGreaterThan(80);
    for (const line of lines) expect(await outcome(line.args)).toEqual(line);
  });

  test("options of every command, lists, `=` and `-`", async () => {
    const args = "--cwd x validate a.csv --csv=b.csv --dry-run - --csv c.csv --no-color".split(" ");
    expect(await outcome(args)).toEqual({
      args,
      verb: "validate",
      operands: ["a.csv", "-"],
      values: { csv: [false, null, ["b.csv", "c.csv"]], dryRun: [true, null, []] },
      globals: { cwd: "x", color: false },
    });
  });

  test.each([
    [["validate", "--csv"], "option '--csv <path>' argument missing"],
    [["validate", "--strict=yes"], "unknown option '--strict=yes'"],
    [["validate", "--format", "xml"], "option '--format <format>' argument 'xml' is invalid"],
    [["validate", "--stric"], "did you mean --strict?"],
    [["--strict", "validate"], "unknown option '--strict'"],
    [["explain", "a", "b"], "too many arguments for 'explain'. Expected 1 argument but got 2."],
    [["resume"], "missing required argument 'run_id'"],
    [["runz"], "did you mean one of run, runs?"],
    [["--", "--color"], "unknown command '--color'"],
    [["x".repeat(1_000_000)], "unknown command"],
  ])("wrong ones: %j", async (args, message) => {
    const { code, stdout, stderr } = await outcome(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });
});
