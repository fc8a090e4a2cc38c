import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess } from "../cli/process.js";
import { flowsheet } from "../cli/run.js";

/** `poison` kills its worker until there is a file `cure`; each visit of `frail` kills its worker once. */
const AGENTS = `import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { defineAgent } from "flowsheet";
const die = async (): Promise<never> => {
  process.kill(process.pid, "SIGKILL");
  return new Promise<never>(() => {});
};
export const fetch = defineAgent(async () => {
  appendFileSync("fetched", "x");
  return "order";
});
export const poison = defineAgent(async () => (existsSync("cure") ? "cured" : die()));
export const frail = defineAgent(async (_inputs: object, { key }: { key: string }) => {
  const mark = key.replaceAll("/", "-");
  if (existsSync(mark)) return "went on";
  writeFileSync(mark, "");
  return die();
});
`;
const SHEET = `graph_name,node_name,agent_type,next_node,output_field
Poison,Fetch,fetch,Charge|Wait,order
Poison,Charge,poison,Done,paid
Poison,Wait,poison,Done,waited
Poison,Done,success,,
Frail,One,frail,Two,a
Frail,Two,frail,Three,b
Frail,Three,frail,,c
`;

const project = (): string =>
  createFolder({
    "flowsheet.yaml": "workflows: workflows\nruns: {recoveries: 1}\n",
    "workflows/sheet.csv": SHEET,
    "agents/agents.ts": AGENTS,
  });

const begin = async (cwd: string, graph: string): Promise<string> =>
  JSON.parse((await flowsheet(["run", "--graph", graph, "--detach", "--json"], { cwd })).stdout).run_id;
const show = async (cwd: string, runId: string) => {
  const { stdout, stderr } = await flowsheet(["runs", "show", runId, "--json"], { cwd });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
};

/** The number of workers that died until one came to the end of what was due. */
async function workUntilDrained(cwd: string): Promise<number> {
  for (let deaths = 0; deaths < 10; deaths++) {
    const { code, signal } = await flowsheetProcess(["work", "--drain", "--quiet"], { cwd });
    if (signal === null) {
      expect(code).toBe(0);
      return deaths;
    }
    expect(signal).toBe("SIGKILL");
  }
  throw new Error("every worker died");
}

test("a run that kills its workers is stuck, with what was at work, until somebody retries it", async () => {
  const cwd = project();
  const runId = await begin(cwd, "Poison");
  expect(await workUntilDrained(cwd)).toBe(2);
  expect(await show(cwd, runId)).toMatchObject({
    status: "stuck",
    recoveries: 2,
    held: "its worker died 2 times in a row at Charge, Wait",
    visits: [{ node: "Fetch" }],
  });
  const { stdout: list } = await flowsheet(["runs"], { cwd });
  expect(list).toMatch(/stuck .*\n {2}its worker died 2 times in a row at Charge, Wait\n/);
  const { stdout: picture } = await flowsheet(["runs", "show", runId], { cwd });
  expect(picture).toContain("stuck  its worker died 2 times in a row at Charge, Wait\n");
  expect(picture).toContain(`next   flowsheet runs retry ${runId.slice(0, 8)}\n`);
  // Nobody takes it, and others do not wait for it.
  expect(await workUntilDrained(cwd)).toBe(0);
  // A new life counts its deaths anew.
  const retried = await flowsheet(["runs", "retry", runId], { cwd });
  expect(retried.stdout).toBe(`${runId}  queued\n`);
  expect((await show(cwd, runId)).held).toBeNull();
  expect(await workUntilDrained(cwd)).toBe(2);
  writeFileSync(join(cwd, "cure"), "");
  await flowsheet(["runs", "retry", runId], { cwd });
  expect(await workUntilDrained(cwd)).toBe(0);
  expect(await show(cwd, runId)).toMatchObject({
    status: "completed",
    held: null,
    state: { order: "order", paid: "cured", waited: "cured" },
  });
  expect(readFileSync(join(cwd, "fetched"), "utf8")).toBe("x");
});

test("a run that gets on between the deaths of its workers is never stuck", async () => {
  const cwd = project();
  const runId = await begin(cwd, "Frail");
  expect(await workUntilDrained(cwd)).toBe(3);
  expect(await show(cwd, runId)).toMatchObject({
    status: "completed",
    recoveries: 3,
    state: { a: "went on", b: "went on", c: "went on" },
  });
  expect(existsSync(join(cwd, `${runId}-Two-1`))).toBe(true);
});
