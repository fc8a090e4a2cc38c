import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Call, readCall } from "../../cli/line/call.js";
import { readWithCommander } from "../../cli/line/program.js";
import type { OptionSpec } from "../../cli/line/verb.js";
import { globalOptions, verbs } from "../../cli/line/verbs.js";
import type { Output, Surroundings } from "../../cli/process/context.js";

const silent: Output = { write: () => {}, isTerminal: () => false, columns: () => null };
const around: Surroundings = {
  stdout: silent,
  stderr: silent,
  stdin: { isTerminal: () => false, chunks: () => process.stdin },
  env: {},
  cwd: "/",
};

/** What a command would see of a call. */
function seen({ verb, operands, given, globals }: Call): unknown {
  const names = verb.options.map(({ flags }) => nameOf(flags));
  const values = names.map((name) => [name, given.flag(name), given.text(name), given.list(name)]);
  return { verb: verb.name, operands, values, globals };
}

const longOf = ({ flags }: OptionSpec): string => flags.split(" ")[0] ?? "";
const nameOf = (flags: string): string =>
  (flags.split(" ")[0] ?? "").slice(2).replace(/-(.)/g, (_match, letter: string) => letter.toUpperCase());

describe("the plain reader of command lines", () => {
  test("reads what is plain", () => {
    const call = readCall([
      "--cwd",
      "x",
      "validate",
      "a.csv",
      "--csv=b.csv",
      "--dry-run",
      "-",
      "--csv",
      "c.csv",
      "--no-color",
    ]);
    expect(call?.verb.name).toBe("validate");
    expect(call?.operands).toEqual(["a.csv", "-"]);
    expect(call?.given.list("csv")).toEqual(["b.csv", "c.csv"]);
    expect(call?.given.flag("dryRun")).toBe(true);
    expect(call?.globals).toEqual({ cwd: "x", color: false });
  });

  test.each([
    [[]],
    [["--help"]],
    [["validate", "--help"]],
    [["validate", "-h"]],
    [["validate", "--"]],
    [["validate", "--csv"]],
    [["validate", "--csv", "--strict"]],
    [["validate", "--csv="]],
    [["validate", "--strict=yes"]],
    [["validate", "--format", "xml"]],
    [["validate", "--stric"]],
    [["--strict", "validate"]],
    [["explain", "a", "b"]],
    [["valdate"]],
  ])("leaves the rest to commander: %j", (args) => {
    expect(readCall(args)).toBeNull();
  });

  test("understands nothing otherwise than commander does", async () => {
    const options = [...globalOptions, ...verbs.flatMap((verb) => verb.options)];
    const values = options.flatMap(({ choices = [] }) => choices);
    const word = fc.constantFrom(
      "a.csv",
      "-",
      "x y",
      "",
      "--",
      "-x",
      "7",
      "a=b",
      ...values,
      ...verbs.map(({ name }) => name),
    );
    const option = fc.constantFrom(...options.map(longOf));
    const argument = fc.oneof(
      { weight: 3, arbitrary: word },
      { weight: 3, arbitrary: option },
      fc.tuple(option, word).map(([long, value]) => `${long}=${value}`),
    );
    const verb = fc.constantFrom(...verbs.map(({ name }) => name));
    const line = fc
      .tuple(fc.array(argument, { maxLength: 2 }), verb, fc.array(argument, { maxLength: 6 }))
      .map(([before, name, after]) => [...before, name, ...after]);
    let understood = 0;
    await fc.assert(
      fc.asyncProperty(line, async (args) => {
        const call = readCall(args);
        if (call === null) return;
        understood++;
        const reference = await readWithCommander(around, args);
        expect(typeof reference).toBe("object");
        expect(seen(call)).toEqual(seen(reference as Call));
      }),
      { numRuns: 3_000 },
    );
    expect(understood).toBeGreaterThan(100);
  });
});
