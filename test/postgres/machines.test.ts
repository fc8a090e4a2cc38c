import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess } from "../cli/process.js";
import { type Ended, flowsheet } from "../cli/run.js";
import { loadedModules, TRACING } from "../cli/tracing.js";
import { HAS_POSTGRES, newDatabase } from "./asked.js";

const SHEET = `graph_name,node_name,agent_type,next_node,input_fields,output_field,prompt
Orders,Price,echo,Approve,id,total,The total of {id}
Orders,Approve,input,,total,verdict,Is it right?
`;
const CONFIG = "workflows: .\nruns: { store: env:DATABASE_URL }\n";

const machine = (sheet: string | null = SHEET): string =>
  createFolder({ "flowsheet.yaml": CONFIG, ...(sheet === null ? {} : { "orders.csv": sheet }) });

describe.runIf(HAS_POSTGRES)("machines with folders of their own, and one database", () => {
  let env: { readonly DATABASE_URL: string };
  beforeAll(async () => {
    env = { DATABASE_URL: await newDatabase() };
  });

  const on = (cwd: string, ...words: readonly string[]): Promise<Ended> => flowsheet(words, { cwd, env });
  const start = async (cwd: string, ...words: readonly string[]): Promise<string> => {
    const { stdout } = await on(cwd, "run", "orders.csv", "--detach", "--json", ...words);
    return (JSON.parse(stdout) as { readonly run_id: string }).run_id;
  };
  const shown = async (cwd: string, id: string): Promise<{ readonly [key: string]: unknown }> =>
    JSON.parse((await on(cwd, "runs", "show", id, "--json")).stdout) as { readonly [key: string]: unknown };

  test("a worker goes on with runs whose sheet its machine lacks", async () => {
    const [first, second, third] = [machine(), machine(null), machine(null)];
    const id = await start(first, "--input", "id=1");
    expect((await on(second, "work", "--drain")).code).toBe(0);
    expect(await shown(third, id)).toMatchObject({ status: "waiting", sheet: "orders.csv" });
    const answered = await on(third, "resume", id, "--answer", "Approve=yes", "--quiet");
    expect([answered.code, JSON.parse(answered.stdout)]).toEqual([
      0,
      { id: "1", total: "The total of 1", verdict: "yes" },
    ]);
    expect(await shown(first, id)).toMatchObject({ status: "completed" });
  });

  test("a run keeps its sheet, also on machines that have another version of it", async () => {
    const [old, edited] = [machine(), machine(SHEET.replace("The total of", "What comes of"))];
    const id = await start(old, "--input", "id=2");
    await on(edited, "work", "--drain");
    const { stdout } = await on(edited, "resume", id, "--answer", "Approve=yes", "--quiet");
    expect(JSON.parse(stdout)).toMatchObject({ total: "The total of 2" });
    const fits = await on(edited, "validate", "--check-runs");
    expect(fits.stderr).toContain("every open run is of a sheet as it now is");
  });

  test("a key begins one run, on whichever machine", async () => {
    const machines = [machine(), machine(), machine()];
    const ids = await Promise.all(machines.map((cwd) => start(cwd, "--input", "id=3", "--key", "three")));
    expect(new Set(ids).size).toBe(1);
  });

  test("runs move from the file to the server and back, with all that is kept of them", async () => {
    const cwd = machine();
    const file = { cwd: createFolder({ "orders.csv": SHEET, "flowsheet.yaml": "workflows: .\n" }) };
    const { stdout } = await flowsheet(["run", "orders.csv", "--input", "id=4", "--detach", "--json"], file);
    const { run_id: id } = JSON.parse(stdout) as { readonly run_id: string };
    await flowsheet(["work", "--drain"], file);
    const before = await flowsheet(["runs", "show", id, "--json"], file);
    const lines = await flowsheet(["runs", "export", "--status", "waiting"], file);
    const taken = await flowsheet(["runs", "import", "-"], { cwd, env, input: lines.stdout });
    expect([taken.code, taken.stderr]).toEqual([0, "note: imported 1 run\n"]);
    expect(await shown(cwd, id)).toEqual(JSON.parse(before.stdout));
    const back = await on(cwd, "runs", "export", "--status", "waiting");
    rmSync(join(file.cwd, ".flowsheet"), { recursive: true });
    await flowsheet(["runs", "import", "-"], { ...file, input: back.stdout });
    const again = await flowsheet(["runs", "show", id, "--json"], file);
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(before.stdout));
  });

  test("a run that a server cannot hold is refused by its id; parts of milliseconds are rounded", async () => {
    const { stdout } = await on(machine(), "run", "orders.csv", "--input", "id=6", "--detach", "--json");
    const { run_id: id } = JSON.parse(stdout) as { readonly run_id: string };
    const exported = (await on(machine(), "runs", "export", "--status", "queued")).stdout.split("\n");
    const line = JSON.parse(exported.find((one) => one.includes(`"runId":"${id}"`)) ?? "");
    const taken = (runId: string, more: object) => {
      const copy = { run: { ...line.run, run: { ...line.run.run, runId, ...more } } };
      return flowsheet(["runs", "import", "-"], { cwd: machine(), env, input: JSON.stringify(copy) });
    };
    const wrong = "e".repeat(32);
    expect(await taken(wrong, { errorCode: "a\u0000" })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`the run ${wrong} cannot be taken: the run store `),
    });
    const late = await taken("f".repeat(32), { due: 8_000_000_000_000.5 });
    expect([late.code, late.stderr]).toEqual([0, "note: imported 1 run\n"]);
  });

  test("a command loads what its own kind of store needs", async () => {
    const words = ["runs", "list", "--status", "all"];
    const server = await flowsheetProcess(words, { cwd: machine(), env, node: TRACING });
    const cwd = createFolder({ "flowsheet.yaml": "workflows: .\n", "orders.csv": SHEET });
    await flowsheet(["run", "orders.csv", "--input", "id=5", "--detach"], { cwd });
    const file = await flowsheetProcess(words, { cwd, node: TRACING });
    expect([server.code, file.code]).toEqual([0, 0]);
    const loaded = (ended: { readonly stderr: string }, what: RegExp): readonly string[] =>
      loadedModules(ended.stderr).filter((one) => what.test(one));
    expect(loaded(server, /node_modules\/pg\//)).not.toEqual([]);
    expect(loaded(server, /libsql|sqlite|@dbos-inc/)).toEqual([]);
    expect(loaded(file, /node_modules\/pg\/|durable\/(?:postgres|dbos)|@dbos-inc/)).toEqual([]);
  });

  test("salvage is for files", async () => {
    const told = await on(machine(), "runs", "export", "--salvage");
    expect([told.code, told.stderr]).toEqual([2, expect.stringContaining("these runs are on a server")]);
  });
});
