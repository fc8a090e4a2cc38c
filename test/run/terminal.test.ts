import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { BIN } from "../cli/process.js";
import { flowsheet } from "../cli/run.js";
import { sheetOf } from "./sheets.js";

const hasPython = spawnSync("python3", ["-c", "import pty"]).status === 0;
if (!hasPython) console.warn("no python3 with a pseudo-terminal: the questions on a terminal are not tested");

/** Runs a program on a terminal of its own, and types each answer when its question is there. */
const DRIVER = `import json, os, pty, select, sys, time
steps, args = json.loads(sys.argv[1]), sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    os.execvp(args[0], args)
seen, at, end = b"", 0, time.time() + 40
while time.time() < end:
    ready, _, _ = select.select([fd], [], [], 0.1)
    if ready:
        try: data = os.read(fd, 4096)
        except OSError: break
        if not data: break
        seen += data
    if steps and steps[0][0].encode() in seen[at:]:
        at = len(seen)
        os.write(fd, steps.pop(0)[1].encode())
status = os.waitpid(pid, 0)[1]
print(json.dumps({"code": os.waitstatus_to_exitcode(status), "screen": seen.decode("utf8", "replace")}))
`;

interface Shown {
  readonly code: number;
  readonly screen: string;
}

function onTerminal(cwd: string, args: readonly string[], steps: readonly (readonly [string, string])[]) {
  writeFileSync(join(cwd, "driver.py"), DRIVER);
  const child = spawn(
    "python3",
    [join(cwd, "driver.py"), JSON.stringify(steps), process.execPath, BIN, ...args],
    { cwd, env: { PATH: process.env["PATH"] ?? "", TERM: "xterm", NO_COLOR: "1" } },
  );
  let out = "";
  child.stdout.on("data", (data: Buffer) => {
    out += data.toString();
  });
  return new Promise<Shown>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => resolve(JSON.parse(out) as Shown));
  });
}

const SHEET = sheetOf(
  "Q,Name,Age,input,,,,name,Who are you?,",
  "Q,Age,Go,input,,,,age:number,How old?,",
  'Q,Go,,human,,No,name,go,"May {name} go?","{""interaction"": ""approval""}"',
  "Q,No,,echo,,,,no,no,",
);

describe.skipIf(!hasPython)("on a terminal", () => {
  test("a run asks, asks again when the answer does not fit, and ends: exit 0", async () => {
    const { code, screen } = await onTerminal(
      createFolder({ "a.csv": SHEET }),
      ["run", "a.csv"],
      [
        ["Who are you?", "Ada\r"],
        ["How old?", "many\r"],
        ["> ", "36\r"],
        ["May Ada go?", "1\r"],
      ],
    );
    expect([code, screen]).toEqual([0, expect.stringContaining("expected a number")]);
    expect(screen.replaceAll("\r", "")).toContain('"age": 36');
    expect(screen).toContain("approve");
  });

  test.each([
    ["a folder", {}, 1],
    ["a project", { "flowsheet.yaml": "" }, 2],
  ])(
    "Ctrl-C at a question: exit 130; Ctrl-D keeps the run: exit 3, and resume asks: in %s",
    async (_in, more, times) => {
      const cwd = createFolder({ "a.csv": SHEET, ...more });
      const presses = Array.from({ length: times }, () => ["> ", "\x03"] as const);
      expect((await onTerminal(cwd, ["run", "a.csv"], presses)).code).toBe(130);
      const kept = await onTerminal(cwd, ["run", "a.csv"], [["> ", "\x04"]]);
      expect(kept.code).toBe(3);
      const id = /flowsheet resume ([0-9a-z]+)/.exec(kept.screen)?.[1] ?? "";
      const ended = await onTerminal(
        cwd,
        ["resume", id],
        [
          ["Who are you?", "Bo\r"],
          ["How old?", "7\r"],
          ["May Bo go?", "reject\r"],
        ],
      );
      expect([ended.code, ended.screen]).toEqual([0, expect.stringContaining('"no": "no"')]);
    },
  );

  const SLOW = {
    "flowsheet.yaml": "",
    "a.csv": "graph_name,node_name,agent_type\nS,Wait,slow\n",
    "agents/slow.js": `import { defineAgent } from "flowsheet";
export const SlowAgent = defineAgent(async (_, { signal }) => {
  process.stderr.write("at work\\n");
  await new Promise((_, reject) => {
    const timer = setTimeout(reject, 60_000);
    signal.addEventListener("abort", () => { clearTimeout(timer); reject(signal.reason); });
  });
});
`,
  };
  test.each([
    ["stop", "stop\r", "queued"],
    ["cancel", "2\r", "cancelled"],
    ["the end of the input", "\x04", "queued"],
  ])("Ctrl-C at work asks what is meant, and %s is an answer", async (_what, typed, status) => {
    const cwd = createFolder(SLOW);
    const steps = [
      ["at work", "\x03"],
      ["2) cancel", typed],
    ] as const;
    const { code, screen } = await onTerminal(cwd, ["run", "a.csv"], steps);
    expect([code, screen]).toEqual([130, expect.stringContaining("1) stop")]);
    const { stdout } = await flowsheet(["runs", "list", "--status", "all", "--json"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ status }] });
  });

  test("a month to answer is no time that is over at once", async () => {
    const settings =
      '"{""timeout_ms"": 2592000000, ""interaction"": ""approval"", ""default_action"": ""reject""}"';
    const cwd = createFolder({ "a.csv": sheetOf(`M,Ask,,human,,,,go,May I?,${settings}`) });
    const { code, screen } = await onTerminal(cwd, ["run", "a.csv", "--no-keep"], [["May I?", "approve\r"]]);
    expect([code, screen]).toEqual([0, expect.stringContaining('"go": "approve"')]);
    expect(screen.split("May I?"), screen).toHaveLength(2);
  });

  test("Ctrl-C at a question asks what is meant, too", async () => {
    const cwd = createFolder({ "a.csv": SHEET, "flowsheet.yaml": "" });
    const steps = [
      ["Who are you?", "\x03"],
      ["2) cancel", "cancel\r"],
    ] as const;
    expect((await onTerminal(cwd, ["run", "a.csv"], steps)).code).toBe(130);
    const { stdout } = await flowsheet(["runs", "list", "--status", "all", "--json"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ status: "cancelled" }] });
  });
});
