import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readWorkbook } from "../../compiler/1-parse/workbook/read-workbook.js";
import type { Worksheet } from "../../compiler/1-parse/workbook/worksheet.js";
import { writeCells } from "../../compiler/1-parse/workbook/write-cells.js";
import { openArchive, Unpacker } from "../../compiler/1-parse/workbook/zip.js";
import { flowsheet } from "../cli/run.js";
import { bookOf, rowsOf } from "./made.js";

function hasOffice(): boolean {
  try {
    execFileSync("soffice", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function sheetsOf(bytes: Uint8Array): readonly Worksheet[] {
  const read = readWorkbook(bytes);
  return read.kind === "bad" ? [] : read.worksheets;
}

/** All that stands in an .ods file, notes included. */
const notesIn = (bytes: Uint8Array): string =>
  Buffer.from(new Unpacker(openArchive(bytes)).open("content.xml") ?? [])
    .toString()
    .replace(/<[^>]*>/g, "");

const ROWS = [
  ["graph_name", "node_name", "agent_type", "next_node", "context", "prompt"],
  ["Triage", "Classify", "echo", "Anwser", "{'retry': True}", 'one, "two"\nthree'],
  ["Triage", "Answer", "echo", "", "", "<&>"],
];

/** LibreOffice is slow to start: one call for all. Without it (apt-get install libreoffice-calc-nogui) it is skipped. */
test.skipIf(!hasOffice())(
  "LibreOffice opens what annotate, convert and --fix write, and its own .ods is read",
  async () => {
    const cwd = mkdtempSync(join(tmpdir(), "flowsheet-office-"));
    try {
      writeFileSync(join(cwd, "fixed.xlsx"), bookOf({ sheets: [{ name: "Flow", data: rowsOf(ROWS) }] }));
      writeFileSync(join(cwd, "a.csv"), 'graph_name,node_name,prompt\nA,B,"é, ""x"""\n');
      const run = (...args: readonly string[]) => flowsheet(args, { cwd });
      expect((await run("annotate", "fixed.xlsx")).code).toBe(0);
      expect((await run("validate", "fixed.xlsx", "--fix")).stderr).toContain("fixed: fixed.xlsx Flow!");
      expect((await run("convert", "a.csv", "converted.xlsx")).code).toBe(0);
      mkdirSync(join(cwd, "out"));
      // One with pictures, notes, rules and a table, and an .ods file.
      const written = (name: string) => readFileSync(join(import.meta.dirname, "written", name));
      writeFileSync(join(cwd, "rich.xlsx"), written("xlsxwriter.xlsx"));
      expect((await run("annotate", "rich.xlsx", "--in-place")).code).toBe(0);
      const [flow] = sheetsOf(written("libreoffice.ods"));
      const edit = { part: "content.xml", worksheet: "Flow", row: 5, column: 3, text: "  a\nb" };
      writeFileSync(join(cwd, "written.ods"), writeCells(written("libreoffice.ods"), [edit]));
      expect(flow?.name).toBe("Flow");
      const files = ["fixed.checked.xlsx", "fixed.xlsx", "converted.xlsx", "rich.xlsx", "written.ods"].map(
        (name) => join(cwd, name),
      );
      const profile = `-env:UserInstallation=file://${join(cwd, "profile")}`;
      execFileSync(
        "soffice",
        [profile, "--headless", "--convert-to", "ods", "--outdir", join(cwd, "out"), ...files],
        {
          stdio: "ignore",
          timeout: 200_000,
        },
      );
      const pageOf = (path: string): string => {
        const read = readWorkbook(readFileSync(join(cwd, path)));
        return read.kind === "bad" ? read.why : (read.worksheets[0]?.page ?? "");
      };
      expect(pageOf("out/written.ods")).toBe(pageOf("written.ods"));
      expect(notesIn(readFileSync(join(cwd, "out/rich.ods")))).toContain("Ask Ada");
      expect(notesIn(readFileSync(join(cwd, "out/rich.ods")))).toContain("flowsheet explain unknown-node");
      for (const name of ["fixed.checked", "fixed", "converted", "rich"])
        expect(pageOf(`out/${name}.ods`)).toBe(pageOf(`${name}.xlsx`));
      expect(pageOf("fixed.xlsx")).toContain('""retry"": true');
      expect((await run("validate", "out/converted.ods")).code).toBe(0);
    } finally {
      rmSync(cwd, { recursive: true });
    }
  },
);
