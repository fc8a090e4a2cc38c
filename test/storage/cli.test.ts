import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess } from "../cli/process.js";
import { flowsheet } from "../cli/run.js";
import { sheetOf } from "./project.js";

const ORDERS = "order,amount,status\n1,250,open\n2,80,paid\n3,90,open\n";

test("run reads and writes the data folder of the project", async () => {
  const sheet = sheetOf(
    {
      agent: "csv_reader",
      settings: { query: { filter: { status: "open" }, sort: "amount" } },
      output: "open",
      prompt: "orders.csv",
    },
    { agent: "json_writer", inputs: "open", output: "saved", prompt: "report/open.json" },
  );
  const cwd = createFolder({ "s.csv": sheet, "data/orders.csv": ORDERS });
  const { code, stdout, stderr } = await flowsheet(["run", "s.csv", "--json"], { cwd });
  expect(stderr).not.toContain("error");
  expect(code).toBe(0);
  const open = [
    { order: "3", amount: "90", status: "open" },
    { order: "1", amount: "250", status: "open" },
  ];
  const saved = { file: "report/open.json", mode: "write", count: 2 };
  expect(JSON.parse(stdout).state).toEqual({ open, saved });
  expect(JSON.parse(readFileSync(join(cwd, "data/report/open.json"), "utf8"))).toEqual(open);
});

test("the configuration names the data folder, from its own place", async () => {
  const sheet = sheetOf({ agent: "file_reader", output: "text", prompt: "a.txt" });
  const files = {
    "flowsheet.yaml": "data: files\n",
    "sub/s.csv": sheet,
    "files/a.txt": "here",
    "data/a.txt": "no",
  };
  const cwd = join(createFolder(files), "sub");
  const { stdout } = await flowsheet(["run", "s.csv", "--json"], { cwd });
  expect(JSON.parse(stdout).state).toEqual({ text: "here" });
});

test("a failing reader fails the run with its node, and no path of the disk", async () => {
  const cwd = createFolder({ "s.csv": sheetOf({ agent: "csv_reader", output: "rows", prompt: "none.csv" }) });
  const { code, stdout, stderr } = await flowsheet(["run", "s.csv", "--json"], { cwd });
  expect(code).toBe(1);
  const { error, state } = JSON.parse(stdout);
  expect(error).toMatchObject({ code: "agent_failed", node: "N1", cell: "E2" });
  expect(error.message).toBe("none.csv: there is no such file in the data folder");
  expect(state).toEqual({});
  expect(stdout + stderr).not.toContain(cwd);
});

test("EACCES is told in words", async () => {
  const cwd = createFolder({
    "s.csv": sheetOf({ agent: "file_writer", inputs: "v", prompt: "locked/a.txt" }),
    "data/locked/a.txt": "old",
  });
  const { stdout } = await flowsheetProcess(["run", "s.csv", "--input", "v=x", "--json"], {
    cwd,
    unprivileged: true,
  });
  expect(JSON.parse(stdout).error.message).toBe("locked/a.txt: permission denied");
  expect(readFileSync(join(cwd, "data/locked/a.txt"), "utf8")).toBe("old");
});

test("settings of a wrong shape are found by validate", async () => {
  const sheet = sheetOf(
    { agent: "file_writer", settings: { id: 1, mode: "replace" }, inputs: "v", prompt: "a.txt" },
    { agent: "csv_writer", settings: { delimiter: "|", id_from: 1 }, inputs: "v", prompt: "a.csv" },
  );
  const cwd = createFolder({ "s.csv": sheet });
  const { code, stdout } = await flowsheet(["validate", "s.csv"], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain('"file_writer" has no setting "id"');
  expect(stdout).toContain(
    'setting "mode" must be "write" or "append" or "update" or "delete", not "replace"',
  );
  expect(stdout).toContain('setting "delimiter" must be');
  expect(stdout).toContain('setting "id_from" must be');
});

test("a generated module reads and writes like the sheet", async () => {
  const sheet = sheetOf(
    { agent: "csv_reader", output: "rows:object[]", prompt: "orders.csv", settings: { query: { limit: 1 } } },
    { agent: "csv_writer", inputs: "rows", output: "count", prompt: "first.csv" },
  );
  const cwd = createFolder({ "s.csv": sheet, "data/orders.csv": ORDERS });
  expect((await flowsheet(["compile", "s.csv"], { cwd })).code).toBe(0);
  const { stdout, stderr } = await flowsheet(["run", "s.csv", "--generated", "--json"], { cwd });
  expect(stderr).not.toContain("error");
  expect(JSON.parse(stdout).state).toEqual({
    rows: [{ order: "1", amount: "250", status: "open" }],
    count: 1,
  });
  expect(readFileSync(join(cwd, "data/first.csv"), "utf8")).toBe("order,amount,status\n1,250,open\n");
});
