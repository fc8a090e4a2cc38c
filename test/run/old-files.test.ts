import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess } from "../cli/process.js";
import { type Ended, flowsheet } from "../cli/run.js";
import { suspendInFile } from "./old-file.js";
import { HELLO, ORDER, sheetOf } from "./sheets.js";

interface Told {
  readonly status: string;
  readonly state: Record<string, unknown>;
  readonly path: readonly string[];
}

const told = ({ stdout }: Pick<Ended, "stdout">): Told => JSON.parse(stdout) as Told;

async function suspended(sheet: string): Promise<{ readonly cwd: string; readonly id: string }> {
  const cwd = createFolder({ "a.csv": sheet });
  return { cwd, id: await suspendInFile(cwd, "a.csv") };
}

const resuming = (id: string, answers: readonly string[]): readonly string[] => [
  ...["resume", id, "--json"],
  ...answers.flatMap((one) => ["--answer", one]),
];

const resume = (cwd: string, id: string, answers: readonly string[] = []): Promise<Ended> =>
  flowsheet(resuming(id, answers), { cwd });

/** Does something to a process whose agent says that it is at work. */
const whenAtWork =
  (act: (child: ChildProcess) => void) =>
  (child: ChildProcess): void => {
    child.stderr?.on("data", (text: Buffer) => {
      if (text.includes("at work")) act(child);
    });
  };

/** As it was written before there was a store. */
const WRITTEN = `{"version":1,"runId":"b5c5326c00196e17fad9e09e4096a574","graph":"Order","sheet":"a.csv","encoding":null,"fingerprint":"6b8fc9ae278d2d9a1ba91683397f2923","suspendedAt":"2026-11-23T09:46:59.630Z","limits":{"maxSteps":null,"timeoutMs":null},"waiting":[{"node":"Approve","field":"verdict","prompt":"May we ship a book?","options":["approve","reject"],"type":null}],"answers":{},"checkpoint":{"version":1,"runId":"b5c5326c00196e17fad9e09e4096a574","graph":"Order","fingerprint":"6b8fc9ae278d2d9a1ba91683397f2923","steps":3,"durationMs":2.274366000201553,"given":{"item":"a book"},"visits":{"Take":1,"Check":1,"Approve":1},"regions":[{"parent":null,"state":{"item":"a book","order":"a book"},"path":["Take"],"heads":[],"start":null,"arrivals":[],"asleep":null,"split":{"node":"Take","edge":"next"}},{"parent":0,"state":{"checked":"checked a book"},"path":["Check"],"heads":[],"start":"Check","arrivals":[{"node":"Ship","failure":false}],"asleep":null,"split":null},{"parent":0,"state":{},"path":["Approve"],"heads":[],"start":"Approve","arrivals":[],"asleep":{"node":"Approve","visit":1,"spec":{"prompt":"May we ship a book?","interaction":"approval","options":["approve","reject"]},"until":null},"split":null}]},"end":null}`;
const WRITTEN_ID = "b5c5326c00196e17fad9e09e4096a574";

test("a file that an earlier version wrote is listed, shown and gone on with", async () => {
  const cwd = createFolder({ "a.csv": ORDER, [`.flowsheet/runs/${WRITTEN_ID}.json`]: WRITTEN });
  const listed = await flowsheet(["runs", "--json"], { cwd });
  expect(JSON.parse(listed.stdout)).toMatchObject({
    total: 1,
    runs: [{ run_id: WRITTEN_ID, status: "waiting", version: null, waiting: [{ node: "Approve" }] }],
  });
  const shown = await flowsheet(["runs", "show", WRITTEN_ID], { cwd });
  expect([shown.code, shown.stderr]).toEqual([0, expect.stringContaining("a file of an earlier version")]);
  const ended = await resume(cwd, WRITTEN_ID, ["Approve=yes"]);
  expect([ended.code, told(ended).state["shipped"]]).toEqual([0, "shipped a book"]);
  expect(readdirSync(join(cwd, ".flowsheet/runs"))).toEqual([]);
});

test("a resume that waits again writes the file again", async () => {
  const { cwd, id } = await suspended(sheetOf("G,A,B,input,,,,a,?,", "G,B,,input,,,,b,?,"));
  expect((await resume(cwd, id, ["A=1"])).code).toBe(3);
  expect(readdirSync(join(cwd, ".flowsheet/runs"))).toEqual([`${id}.json`]);
  expect(told(await resume(cwd, id, ["B=2"])).state).toEqual({ a: "1", b: "2" });
});

describe("goes on only with the sheet as it was", () => {
  test.each([
    ["another prompt", HELLO.replace("Hello {name}", "Bye {name}")],
    ["another edge", HELLO.replace("Hello,Ask,Greet", "Hello,Ask,END")],
    ["the graph is gone", HELLO.replaceAll("Hello,", "Other,")],
  ])("run_stale: %s: exit 1", async (_name, sheet) => {
    const { cwd, id } = await suspended(HELLO);
    writeFileSync(join(cwd, "a.csv"), sheet);
    const ended = await resume(cwd, id, ["Ask=Ada"]);
    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toBe(
      `error: the run ${id} is stale: "Hello" has changed its meaning since it was suspended (run_stale)\n`,
    );
    writeFileSync(join(cwd, "a.csv"), HELLO);
    expect((await resume(cwd, id, ["Ask=Ada"])).code).toBe(0);
  });

  test("another layout, other words and another order mean the same", async () => {
    const { cwd, id } = await suspended(HELLO);
    const [header = "", ask = "", greet = ""] = HELLO.split("\n");
    writeFileSync(
      join(cwd, "a.csv"),
      ["# moved", `description,${header}`, `Asks,${ask}`, `Greets,${greet}`, ""].join("\r\n"),
    );
    expect((await resume(cwd, id, ["Ask=Ada"])).code).toBe(0);
  });

  test("a sheet that has errors now: exit 1, with its diagnostics; one that is gone: exit 2", async () => {
    const { cwd, id } = await suspended(HELLO);
    writeFileSync(join(cwd, "a.csv"), HELLO.replace("Hello,Ask,Greet", "Hello,Ask,Nowhere"));
    const broken = await resume(cwd, id, ["Ask=Ada"]);
    expect([broken.code, broken.stderr.startsWith("error unknown-node: ")]).toEqual([1, true]);
    renameSync(join(cwd, "a.csv"), join(cwd, "b.csv"));
    const gone = await resume(cwd, id, ["Ask=Ada"]);
    expect([gone.code, gone.stdout]).toEqual([2, ""]);
    expect(gone.stderr).toContain("cannot open a.csv: there is no such file");
    expect(readdirSync(join(cwd, ".flowsheet/runs"))).toEqual([`${id}.json`]);
  });

  test("the sheet came from standard input, or has been moved: it is given again", async () => {
    const cwd = createFolder({ "later.csv": HELLO });
    const id = await suspendInFile(cwd, "later.csv");
    const file = join(cwd, ".flowsheet/runs", `${id}.json`);
    writeFileSync(file, readFileSync(file, "utf8").replace('"later.csv"', "null"));
    const without = await resume(cwd, id, ["Ask=Ada"]);
    expect([without.code, without.stdout]).toEqual([2, ""]);
    expect(without.stderr).toContain("came from standard input\n  = help: give it again with --csv");
    const given = await flowsheet(["resume", id, "--csv", "later.csv", "--answer", "Ask=Ada"], { cwd });
    expect(given.code).toBe(0);
  });

  test("an answer that comes too late is not used, and it is said", async () => {
    const settings = '"{""timeout_ms"": 1, ""interaction"": ""approval"", ""default_action"": ""reject""}"';
    const { cwd, id } = await suspended(
      sheetOf(`T,A,B,human,,C,,a,?,${settings}`, "T,B,,echo,,,,b,yes,", "T,C,,echo,,,,c,no,"),
    );
    // An answer that comes too late changes nothing, and it is said.
    const ended = await resume(cwd, id, ["A=yes"]);
    expect([ended.code, told(ended).path]).toEqual([0, ["A", "C"]]);
    expect(ended.stderr).toContain('the answer to "A" came after its time was over: it is not used\n');
  });
});

describe("one file a run", () => {
  test("a damaged file: exit 2, and runs passes it over", async () => {
    const { cwd, id } = await suspended(HELLO);
    writeFileSync(join(cwd, ".flowsheet/runs", `${id}.json`), '{"version":1');
    const ended = await resume(cwd, id, ["Ask=Ada"]);
    expect([ended.code, ended.stderr.includes("is damaged")]).toEqual([2, true]);
    const listed = await flowsheet(["runs", "--json"], { cwd });
    expect([listed.code, JSON.parse(listed.stdout)]).toEqual([0, { runs: [], next_cursor: null, total: 0 }]);
    expect(listed.stderr).toContain("is damaged: it is passed over");
  });
  test("Ctrl-C puts the run back: exit 130, and it can be resumed with another answer", async () => {
    const cwd = createFolder({
      "a.csv": sheetOf("G,Ask,Wait,input,,,,a,?,", "G,Wait,,pause,,,a,b,,"),
      "agents/pause.js": `import { defineAgent } from "flowsheet";
        export const pause = defineAgent(async ({ a }, { signal }) => {
          console.error("at work");
          if (a === "slow") await new Promise((resolve) => { signal.addEventListener("abort", resolve); setTimeout(resolve, 20_000); });
          return a;
        });`,
    });
    const id = await suspendInFile(cwd, "a.csv");
    const ended = await flowsheetProcess(resuming(id, ["Ask=slow"]), {
      cwd,
      started: whenAtWork((child) => child.kill("SIGINT")),
    });
    expect([ended.code, told(ended).status]).toEqual([130, "cancelled"]);
    expect(readdirSync(join(cwd, ".flowsheet/runs"))).toEqual([`${id}.json`]);
    expect(told(await resume(cwd, id, ["Ask=quick"])).state).toEqual({ a: "quick", b: "quick" });
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
    const id = await suspendInFile(cwd, "a.csv");
    const killed = await flowsheetProcess(resuming(id, ["Ask=first"]), {
      cwd,
      started: whenAtWork((child) => child.kill("SIGKILL")),
    });
    expect(killed.signal).toBe("SIGKILL");
    const listed = JSON.parse((await flowsheet(["runs", "--json"], { cwd })).stdout) as {
      runs: unknown;
    };
    expect(listed.runs).toMatchObject([{ run_id: id, status: "waiting" }]);
    const ended = await flowsheetProcess(resuming(id, ["Ask=second"]), { cwd });
    expect([ended.code, told(ended).state]).toEqual([0, { a: "first", b: "first" }]);
    expect(ended.stderr).toContain(
      'note: "Ask" was answered before the run was cut short: that answer stands',
    );
  });
});
