import type { ChildProcess } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess } from "../cli/process.js";
import { type Ended, flowsheet } from "../cli/run.js";
import { HELLO, ORDER, sheetOf } from "./sheets.js";

interface Told {
  readonly run_id: string;
  readonly status: string;
  readonly state: Record<string, unknown>;
  readonly path: readonly string[];
  readonly steps: number;
  readonly waiting: readonly { readonly node: string }[];
}

const told = ({ stdout }: Pick<Ended, "stdout">): Told => JSON.parse(stdout) as Told;

/** A project with a run that waits. */
async function suspended(
  sheet: string,
  ...inputs: readonly string[]
): Promise<{ readonly cwd: string; readonly id: string }> {
  const cwd = createFolder({ "a.csv": sheet });
  const ended = await flowsheet(["run", "a.csv", "--json", ...inputs.flatMap((one) => ["--input", one])], {
    cwd,
  });
  expect(ended.code).toBe(3);
  return { cwd, id: told(ended).run_id };
}

const resume = (cwd: string, id: string, answers: readonly string[] = []): Promise<Ended> =>
  flowsheet(resuming(id, answers), { cwd });

const resuming = (id: string, answers: readonly string[]): readonly string[] => [
  ...["resume", id, "--json"],
  ...answers.flatMap((one) => (one.startsWith("--") ? [one] : ["--answer", one])),
];

/** Does something to a process whose agent says that it is at work. */
const whenAtWork =
  (act: (child: ChildProcess) => void) =>
  (child: ChildProcess): void => {
    child.stderr?.on("data", (text: Buffer) => {
      if (text.includes("at work")) act(child);
    });
  };

/** What is kept of all runs. */
const kept = async (cwd: string): Promise<readonly unknown[]> => {
  const { stdout } = await flowsheet(["runs", "list", "--status", "all", "--json"], { cwd });
  return (JSON.parse(stdout) as { readonly runs: readonly unknown[] }).runs;
};

describe("a run goes on in another process", () => {
  test("with an answer: exit 0, and no finished node is visited again", async () => {
    const { cwd, id } = await suspended(ORDER, "item=a book");
    const ended = await resume(cwd, id, ["Approve=yes"]);
    expect(ended.code).toBe(0);
    expect(told(ended)).toMatchObject({
      run_id: id,
      status: "completed",
      path: ["Take", "Check", "Approve", "Ship"],
      steps: 4,
      state: { item: "a book", checked: "checked a book", verdict: "yes", shipped: "shipped a book" },
      waiting: [],
    });
    expect(ended.stderr.replace(/[\d.]+ ms/g, "")).toBe("│2 ✓ Approve  \n✓ Ship  \n");
    expect(await kept(cwd)).toEqual([]);
    expect(readdirSync(join(cwd, ".flowsheet/runs")).filter((name) => name.endsWith(".json"))).toEqual([]);
  });

  test("over a failure edge of its branch", async () => {
    const { cwd, id } = await suspended(ORDER, "item=a book");
    const ended = await resume(cwd, id, ["Approve=reject"]);
    expect([ended.code, told(ended).path]).toEqual([0, ["Take", "Check", "Approve", "Refuse", "Ship"]]);
  });

  test("once: afterwards nobody knows it: exit 2", async () => {
    const { cwd, id } = await suspended(HELLO);
    expect((await resume(cwd, id, ["Ask=Ada"])).code).toBe(0);
    const again = await resume(cwd, id, ["Ask=Ada"]);
    expect([again.code, again.stdout]).toEqual([2, ""]);
    expect(again.stderr).toBe(`error: no suspended run has the id "${id}"\n`);
  });

  test("a run that fails is over, too: exit 1", async () => {
    const sheet = sheetOf(
      "F,Ask,Pick,input,,,,a,?,",
      "F,Pick,B|C,switch,,,a,p,,",
      "F,B,,echo,,,,b,,",
      "F,C,,echo,,,,c,,",
    );
    const { cwd, id } = await suspended(sheet);
    const ended = await resume(cwd, id, ["Ask=Z"]);
    expect([ended.code, told(ended).status, await kept(cwd)]).toEqual([1, "failed", []]);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      error: { node: "Pick", file: "a.csv", line: 3, cell: "D3" },
    });
  });

  test("as often as it waits, each time in another process, for some of the answers at a time", async () => {
    const sheet = sheetOf(
      "Q,S,A|B,echo,,,,s,go,",
      "Q,A,M,input,,,,a:number,How many?,",
      "Q,B,M,input,,,,b:string[],Which?,",
      "Q,M,C,echo,,,a|b,m,{a} {b},",
      'Q,C,,human,,,,c,Well?,"{""options"": [""good"", ""bad""]}"',
    );
    const { cwd, id } = await suspended(sheet);
    const none = await resume(cwd, id);
    expect([none.code, told(none).waiting.map(({ node }) => node)]).toEqual([3, ["A", "B"]]);
    const first = await resume(cwd, id, ["B=x, y"]);
    expect([first.code, told(first).waiting.map(({ node }) => node)]).toEqual([3, ["A"]]);
    const second = await resume(cwd, id, ["A=4"]);
    expect([second.code, told(second).waiting.map(({ node }) => node)]).toEqual([3, ["C"]]);
    const third = await resume(cwd, id, ["C=GOOD"]);
    expect(told(third)).toMatchObject({
      status: "completed",
      state: { a: 4, b: ["x", "y"], m: '4 ["x","y"]', c: "good" },
    });
    expect(told(third).path).toEqual(["S", "A", "B", "M", "C"]);
  });

  test("in text: the state on stdout, what it waits for on stderr", async () => {
    const { cwd, id } = await suspended(HELLO);
    const waits = await flowsheet(["resume", id], { cwd });
    expect([waits.code, waits.stdout]).toEqual([3, "{}\n"]);
    expect(waits.stderr).toContain(`flowsheet resume ${id} --answer Ask=…`);
    const done = await flowsheet(["resume", id, "--answer", "Ask=Ada"], { cwd });
    expect(JSON.parse(done.stdout)).toEqual({ name: "Ada", greeting: "Hello Ada" });
  });

  test("a node whose name holds an equals sign", async () => {
    const { cwd, id } = await suspended(sheetOf("E,A=B,,input,,,,x,?,"));
    expect(told(await resume(cwd, id, ["A=B=c=d"])).state).toEqual({ x: "c=d" });
  });

  test("from below the configuration, whose folders hold the run and name the sheet", async () => {
    const cwd = createFolder({
      "flowsheet.yaml": "workflows: flows\nruns: kept\n",
      "flows/deep/a.csv": HELLO,
    });
    const ended = await flowsheet(["run", "deep/a.csv", "--json"], { cwd: join(cwd, "flows") });
    const id = told(ended).run_id;
    expect(readdirSync(join(cwd, "kept"))).toContain("runs.db");
    const listed = await flowsheet(["runs", "--json"], { cwd });
    expect(listed.stdout).toContain(`"${id}"`);
    expect(listed.stdout).toContain('"flows/deep/a.csv"');
    expect((await resume(join(cwd, "flows/deep"), id, ["Ask=Ada"])).code).toBe(0);
  });

  test("the limits that the run was started with hold for all of it", async () => {
    const loop = sheetOf(
      "L,A,B,input,,,,a,?,",
      "L,B,A,echo,,,a,b,,",
      'L,C,,echo,,,,c,,"{""max_visits"": 3}"',
    ).replace("L,B,A,echo", "L,B,A|C,echo");
    const cwd = createFolder({ "a.csv": loop.replace("L,B,A|C,echo,,", "L,B,,branching,A,C") });
    const ended = await flowsheet(["run", "a.csv", "--json", "--max-steps", "3"], { cwd });
    expect(ended.code).toBe(3);
    const second = await resume(cwd, told(ended).run_id, ["A=yes"]);
    expect([second.code, told(second).steps]).toEqual([3, 3]);
    const third = await resume(cwd, told(ended).run_id, ["A=yes"]);
    expect(JSON.parse(third.stdout)).toMatchObject({
      status: "failed",
      steps: 3,
      error: { code: "step_limit" },
    });
  });

  test("a sheet in another encoding is read as it was", async () => {
    const cwd = createFolder({
      "a.csv": Buffer.from(HELLO.replace("Hello {name}", "Grüß dich {name}"), "latin1"),
    });
    const ended = await flowsheet(["run", "a.csv", "--json", "--encoding", "windows-1252"], { cwd });
    expect(told(await resume(cwd, told(ended).run_id, ["Ask=Ada"])).state["greeting"]).toBe("Grüß dich Ada");
  });

  test.each([
    ["came from standard input", "-"],
    ["lies outside of the folder", "../elsewhere.csv"],
  ])("when its sheet %s and is gone", async (_name, sheet) => {
    const cwd = createFolder({ "in/keep": "" });
    if (sheet !== "-") writeFileSync(join(cwd, "elsewhere.csv"), HELLO);
    const here = { cwd: join(cwd, "in"), input: HELLO };
    const { run_id: id } = told(await flowsheet(["run", sheet, "--json"], here));
    rmSync(join(cwd, "elsewhere.csv"), { force: true });
    const ended = await resume(here.cwd, id, ["Ask=Ada"]);
    expect([ended.code, told(ended).state]).toEqual([0, { name: "Ada", greeting: "Hello Ada" }]);
  });

  test("with its sheet as it was, whatever the sheet says now", async () => {
    const { cwd, id } = await suspended(HELLO);
    writeFileSync(join(cwd, "a.csv"), "no sheet at all");
    const ended = await flowsheet(["resume", id, "--csv", "a.csv", "--answer", "Ask=Ada"], { cwd });
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining('"Hello Ada"')]);
    expect(ended.stderr).toContain("--csv is not needed");
  });

  test("a wait whose time is over takes no answer, and goes on by itself", async () => {
    const settings = '"{""timeout_ms"": 1, ""interaction"": ""approval"", ""default_action"": ""reject""}"';
    const { cwd, id } = await suspended(
      sheetOf(`T,A,B,human,,C,,a,?,${settings}`, "T,B,,echo,,,,b,yes,", "T,C,,echo,,,,c,no,"),
    );
    const answered = await resume(cwd, id, ["A=yes"]);
    expect([answered.code, answered.stderr]).toEqual([1, 'error: the time to answer "A" is over\n']);
    const ended = await resume(cwd, id);
    expect([ended.code, told(ended).path]).toEqual([0, ["A", "C"]]);
  });

  test("by a worker, who keeps what it came to until somebody asks", async () => {
    const { cwd, id } = await suspended(HELLO);
    expect((await resume(cwd, id, ["Ask=Ada", "--detach"])).code).toBe(0);
    expect((await flowsheet(["work", "--drain"], { cwd })).code).toBe(0);
    expect(await kept(cwd)).toMatchObject([{ run_id: id, status: "completed" }]);
    const again = await resume(cwd, id, ["Ask=Bob"]);
    expect([again.code, again.stderr]).toEqual([1, `error: the run ${id} has ended: completed\n`]);
    expect(told(await resume(cwd, id))).toMatchObject({ state: { greeting: "Hello Ada" } });
    expect(await kept(cwd)).toEqual([]);
  });

  test("and has no history that could be gone back to: exit 2", async () => {
    const { cwd, id } = await suspended(HELLO);
    const shown = await flowsheet(["runs", "show", id], { cwd });
    expect([shown.code, shown.stderr]).toEqual([0, expect.stringContaining("it has no history")]);
    const retried = await flowsheet(["runs", "retry", id], { cwd });
    expect([retried.code, retried.stderr]).toEqual([2, expect.stringContaining("it cannot be retried")]);
    const moved = await flowsheet(["runs", "move", id], { cwd });
    expect([moved.code, moved.stdout]).toEqual([1, expect.stringContaining("without a history")]);
    expect((await flowsheet(["runs", "cancel", id], { cwd })).stdout).toBe(`${id}  cancelled\n`);
    expect(await kept(cwd)).toEqual([]);
  });
});

describe("what is refused leaves the run as it was", () => {
  test.each<[string, readonly string[], string]>([
    ["a node that does not wait", ["Aks=x"], '"Aks" waits for no answer; did you mean "Ask"?'],
    ["a node that has been visited", ["First=x"], '"First" waits for no answer; what waits is "Ask"'],
    ["a wrong type", ["Ask=many"], 'the answer for "Ask" does not fit: expected a number'],
    ["no answer", ["Ask"], '--answer takes Node=value, not "Ask"'],
  ])("%s: exit 2", async (_name, answers, message) => {
    const { cwd, id } = await suspended(sheetOf("G,First,Ask,echo,,,,f,x,", "G,Ask,,input,,,,a:number,?,"));
    const before = await kept(cwd);
    const ended = await resume(cwd, id, answers);
    expect([ended.code, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain(message);
    expect(await kept(cwd)).toEqual(before);
    expect((await resume(cwd, id, ["Ask=7"])).code).toBe(0);
  });

  test.each(["nothing", "../../a", "0123456789abcdef0123456789abcdef", "A".repeat(32)])(
    "an unknown id, %j: exit 2",
    async (id) => {
      const ended = await resume(createFolder(), id, ["Ask=Ada"]);
      expect([ended.code, ended.stdout]).toEqual([2, ""]);
      expect(ended.stderr).toBe(`error: no suspended run has the id "${id}"\n`);
    },
  );
});

describe("several at once", () => {
  test("of eight processes that resume one run, one does; the others are told: exit 1, or 2 when it is over", async () => {
    const sheet = sheetOf("G,Ask,Wait,input,,,,a,?,", "G,Wait,,pause,,,a,b,,");
    const cwd = createFolder({
      "a.csv": sheet,
      "agents/pause.js": `import { appendFileSync } from "node:fs";
        import { defineAgent } from "flowsheet";
        export const pause = defineAgent(async (_, { key }) => {
          appendFileSync(${JSON.stringify(join("CALLS"))}, key + "\\n");
          await new Promise((resolve) => setTimeout(resolve, 1500));
          return "done";
        });`,
    });
    const id = told(await flowsheet(["run", "a.csv", "--json"], { cwd })).run_id;
    const ended = await Promise.all(
      Array.from({ length: 8 }, () => flowsheetProcess(resuming(id, ["Ask=Ada"]), { cwd })),
    );
    expect(ended.filter(({ code }) => code === 0)).toHaveLength(1);
    for (const { code, stderr } of ended)
      if (code !== 0) expect(stderr).toMatch(/has been answered already|has ended|no (?:suspended )?run/);
    expect(readFileSync(join(cwd, "CALLS"), "utf8")).toBe(`${id}/Wait/1\n`);
    expect(await kept(cwd)).toEqual([]);
  });

  test("Ctrl-C lets go of the run: exit 130, and what was answered stays", async () => {
    const cwd = createFolder({
      "a.csv": sheetOf("G,Ask,Wait,input,,,,a,?,", "G,Wait,,pause,,,a,b,,"),
      "agents/pause.js": `import { existsSync, writeFileSync } from "node:fs";
        import { defineAgent } from "flowsheet";
        export const pause = defineAgent(async ({ a }, { signal }) => {
          console.error("at work");
          if (existsSync("BEGUN")) return a;
          writeFileSync("BEGUN", "");
          await new Promise((resolve) => { signal.addEventListener("abort", resolve); setTimeout(resolve, 20_000); });
          return a;
        });`,
    });
    const id = told(await flowsheet(["run", "a.csv", "--json"], { cwd })).run_id;
    const ended = await flowsheetProcess(resuming(id, ["Ask=slow"]), {
      cwd,
      started: whenAtWork((child) => child.kill("SIGINT")),
    });
    expect([ended.code, ended.stdout]).toEqual([130, ""]);
    expect(await kept(cwd)).toMatchObject([{ run_id: id, status: "queued" }]);
    const last = await flowsheetProcess(resuming(id, []), { cwd });
    expect(told(last).state).toEqual({ a: "slow", b: "slow" });
  });

  test("kill -9 leaves a claim that is none: the answer that was taken stands", async () => {
    const cwd = createFolder({
      "a.csv": sheetOf("G,Ask,Wait,input,,,,a,?,", "G,Wait,,pause,,,a,b,,"),
      "agents/pause.js": `import { defineAgent } from "flowsheet";
        import { existsSync, writeFileSync } from "node:fs";
        export const pause = defineAgent(async ({ a }) => {
          if (existsSync("BEGUN")) return a;
          writeFileSync("BEGUN", "");
          console.error("at work");
          await new Promise((resolve) => setTimeout(resolve, 20_000));
        });`,
    });
    const id = told(await flowsheet(["run", "a.csv", "--json"], { cwd })).run_id;
    const killed = await flowsheetProcess(resuming(id, ["Ask=first"]), {
      cwd,
      started: whenAtWork((child) => child.kill("SIGKILL")),
    });
    expect(killed.signal).toBe("SIGKILL");
    const listed = JSON.parse((await flowsheet(["runs", "--json"], { cwd })).stdout) as {
      runs: unknown;
    };
    expect(listed.runs).toMatchObject([{ run_id: id, status: "queued" }]);
    const second = await resume(cwd, id, ["Ask=second"]);
    expect([second.code, second.stderr]).toEqual([1, 'error: "Ask" has been answered already\n']);
    const ended = await flowsheetProcess(resuming(id, []), { cwd });
    expect([ended.code, told(ended).state]).toEqual([0, { a: "first", b: "first" }]);
  });
});

describe("runs", () => {
  test("lists what waits, and for what, newest first", async () => {
    const { cwd, id } = await suspended(ORDER, "item=a book");
    writeFileSync(join(cwd, "hello.csv"), HELLO);
    const second = told(await flowsheet(["run", "hello.csv", "--json"], { cwd })).run_id;
    const { stdout, stderr, code } = await flowsheet(["runs", "--json"], { cwd });
    expect([code, stderr]).toEqual([0, ""]);
    const time: unknown = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(JSON.parse(stdout)).toEqual({
      runs: [
        expect.objectContaining({ run_id: second, graph_name: "Hello" }),
        {
          ...{
            key: null,
            ended_at: null,
            due_at: null,
            deadline_at: null,
            recoveries: 0,
            held: null,
            error: null,
          },
          ...{ created_at: time, started_at: time, suspended_at: time },
          version: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
          started_by: expect.stringMatching(/^os:/) as string,
          run_id: id,
          graph_name: "Order",
          sheet: "a.csv",
          status: "waiting",
          waiting: [
            {
              node: "Approve",
              field: "verdict",
              prompt: "May we ship a book?",
              options: ["approve", "reject"],
              assignee: null,
              until: null,
            },
          ],
        },
      ],
      next_cursor: null,
      total: 2,
    });
    const text = await flowsheet(["runs"], { cwd });
    expect(text.stdout).toMatch(
      new RegExp(
        `\n\n${id} {2}waiting {4}Order {2}a\\.csv {2}[\\d.]+ m?s ago\n {2}Approve {2}May we ship a book\\? {2}\\(approve, reject\\)\n$`,
      ),
    );
  });

  test("none is no error", async () => {
    expect(await flowsheet(["runs"], { cwd: createFolder() })).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "note: no run is open: --status all shows those that have ended\n",
    });
  });

  test("I08: escapes in prompts and names do not reach the terminal", async () => {
    const evil = "\x1b[2J\u202e";
    const { cwd } = await suspended(sheetOf("E,A,,input,,,x,a,ask {x},"), `x=${evil}`);
    for (const args of [["runs"], ["runs", "--json"]]) {
      const { stdout } = await flowsheet(args, { cwd });
      expect(stdout).not.toMatch(/[\x1b\u202e]/);
    }
  });

  test("a run that cannot be kept: exit 1, with the reason", async () => {
    const cwd = createFolder({ "a.csv": HELLO });
    mkdirSync(join(cwd, ".flowsheet"), { mode: 0o755 });
    const ended = await flowsheetProcess(["run", "a.csv"], { cwd, unprivileged: true });
    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toMatch(/the suspended run [0-9a-f]{32} cannot be kept: .* permission denied\n/);
    expect(statSync(join(cwd, ".flowsheet")).isDirectory()).toBe(true);
  });
});
