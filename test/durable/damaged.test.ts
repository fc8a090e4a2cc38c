import { existsSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabases } from "../../runtime/durable/sqlite/open.js";
import { MIGRATIONS } from "../../runtime/durable/sqlite/schema.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { authentication, startService } from "../http/service.js";

const FILES = {
  "flowsheet.yaml": `workflows: workflows\n${authentication()}`,
  "workflows/orders.csv": `graph_name,node_name,agent_type,next_node,input_fields,output_field,prompt
Orders,Draft,echo,Ask,name,draft,Dear {name}
Orders,Ask,input,Sign,draft,word,Is it right?
Orders,Sign,echo,END,"name|word",signed,{name}: {word}
`,
};
const FILE = ".flowsheet/runs/runs.db";

interface Kept {
  readonly cwd: string;
  readonly file: string;
  readonly ids: readonly string[];
}

/** Runs that wait for an answer. */
async function createRuns(count: number): Promise<Kept> {
  const cwd = createFolder(FILES);
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const name = `name=Ada ${i} ${"y".repeat(3_000)}`;
    const { stdout } = await flowsheet(["run", "--graph", "Orders", "--input", name, "--json"], { cwd });
    ids.push(JSON.parse(stdout).run_id);
  }
  return { cwd, ids, file: join(cwd, FILE) };
}

/** The first page of a table. */
async function rootOf(file: string, table: string): Promise<number> {
  const { sure, close } = await openDatabases(file);
  sure.all("PRAGMA wal_checkpoint(TRUNCATE)");
  const root = sure.first("SELECT rootpage FROM sqlite_schema WHERE name = ?", table)?.["rootpage"];
  close();
  return Number(root);
}

async function overwrite(file: string, page: number): Promise<void> {
  const bytes = readFileSync(file);
  bytes.fill(0x5a, (page - 1) * 4_096, page * 4_096);
  writeFileSync(file, bytes);
}

const commandsOn = (id: string): readonly (readonly string[])[] => [
  ["runs"],
  ["runs", "show", id],
  ["runs", "cancel", id],
  ["runs", "retry", id],
  ["runs", "move", "--all"],
  ["runs", "prune", "--older", "1d"],
  ["runs", "export"],
  ["runs", "import", "nothing.jsonl"],
  ["resume", id, "--answer", "Ask=yes"],
  ["run", "--graph", "Orders", "--input", "name=Ada"],
  ["run", "--graph", "Orders", "--input", "name=Ada", "--detach"],
  ["work", "--drain"],
  ["compile", "--check-runs"],
  ["validate", "--check-runs"],
];

/** Every command and the start of a server: exit code 2, the path and the cure. */
async function expectRefused(
  { cwd, file, ids }: Kept,
  message: RegExp,
  help: string,
  spared: readonly string[] = [],
): Promise<void> {
  writeFileSync(join(cwd, "nothing.jsonl"), "");
  const before = readFileSync(file);
  const calls = commandsOn(ids[0] ?? "").filter((call) => !spared.includes(call.slice(0, 2).join(" ")));
  for (const call of calls) {
    const { code, stderr } = await flowsheet(call, { cwd });
    expect([call.join(" "), code]).toEqual([call.join(" "), 2]);
    expect([call.join(" "), stderr]).toEqual([call.join(" "), expect.stringMatching(message)]);
    expect(stderr).toContain(file);
    expect(stderr).toContain(help);
  }
  for (const works of [true, false])
    await expect(
      startService({ folder: cwd, files: {}, config: FILES["flowsheet.yaml"], works }),
    ).rejects.toThrow(message);
  expect(readFileSync(file).equals(before)).toBe(true);
}

const inNewFolder = async ({ file, ids }: Kept): Promise<Kept> => {
  // Connections that this process may still have must not hide what happens to the file.
  await rootOf(file, "runs");
  const cwd = createFolder({ ...FILES, [FILE]: readFileSync(file) });
  return { cwd, ids, file: join(cwd, FILE) };
};

test.each([
  ["is no database", async (file: string) => overwrite(file, 1), []],
  ["is cut", async (file: string) => truncateSync(file, Math.floor((readFileSync(file).length * 3) / 4)), []],
  [
    "has lost the page that lists its runs",
    async (file: string, root: number) => overwrite(file, root),
    // Nothing that they look at is damaged.
    ["runs prune", "runs import"],
  ],
])(
  "a file that %s is refused everywhere, stays, and is salvaged into a new one",
  async (_, damage, spared) => {
    const before = await createRuns(8);
    const root = await rootOf(before.file, "runs");
    const kept = await inNewFolder(before);
    const { cwd, file } = kept;
    await damage(file, root);
    await expectRefused(kept, /is damaged/, "runs export --salvage", spared);
    const out = ["--out", "left.jsonl"];
    const { code, stdout, stderr } = await flowsheet(["runs", "export", "--salvage", ...out], { cwd });
    expect([stdout, existsSync(file)]).toEqual(["", true]);
    const count = (pattern: RegExp): number => Number(pattern.exec(stderr)?.[1] ?? 0);
    const [read, lost, parts] = [
      count(/exported (\d) run/),
      count(/(\d) runs? lost/),
      count(/(\d) runs? not whole/),
    ];
    expect([read + lost, code]).toEqual([8, lost + parts > 0 || stderr.includes("unreadable") ? 1 : 0]);
    renameSync(file, join(cwd, "damaged.db"));
    const taken = await flowsheet(["runs", "import", "left.jsonl"], { cwd });
    expect([taken.code, taken.stderr]).toEqual([0, expect.stringContaining(`imported ${read} run`)]);
    const { stdout: listed } = await flowsheet(["runs", "--json"], { cwd });
    const runs = JSON.parse(listed).runs as readonly { readonly run_id: string; readonly status: string }[];
    for (const { run_id: id } of runs) {
      const shown = await flowsheet(["runs", "show", id], { cwd });
      expect([shown.code, shown.stderr]).toEqual([0, ""]);
    }
    const waiting = runs.filter(({ status }) => status === "waiting");
    expect(waiting.length).toBeGreaterThanOrEqual(read - parts);
    for (const { run_id: id } of waiting) {
      const ended = await flowsheet(["resume", id, "--answer", "Ask=yes"], { cwd });
      expect([ended.code, JSON.parse(ended.stdout)["signed"]]).toEqual([
        0,
        expect.stringMatching(/^Ada \d y+: yes$/),
      ]);
    }
  },
);

test("salvage of a file that is whole is an export", async () => {
  const { cwd } = await createRuns(1);
  const salvaged = await flowsheet(["runs", "export", "--salvage"], { cwd });
  const exported = await flowsheet(["runs", "export"], { cwd });
  expect(salvaged).toEqual(exported);
});

test("a file of a later version is refused everywhere, and not touched", async () => {
  const before = await createRuns(1);
  const { sure, close } = await openDatabases(before.file);
  sure.run("UPDATE meta SET schema = ?", MIGRATIONS.length + 1);
  sure.all("PRAGMA wal_checkpoint(TRUNCATE)");
  close();
  const cwd = createFolder({ ...FILES, [FILE]: readFileSync(before.file) });
  const kept = { ...before, cwd, file: join(cwd, FILE) };
  await expectRefused(kept, /was made by a later version/, "use that version");
  const salvage = await flowsheet(["runs", "export", "--salvage"], { cwd: kept.cwd });
  expect([salvage.code, salvage.stderr]).toEqual([2, expect.stringContaining("later version")]);
});
