import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { check, createProject } from "../emit/native.js";
import { inCi } from "../how-many.js";
import { request } from "../http/raw.js";
import { authentication, KEYS, startService } from "../http/service.js";
import { converted, hasOffice } from "../oracle/office.js";
import { purchaseBook } from "./purchase-book.js";

const VAN = { net: 20_000, category: "device", item: "a van", Ordered: "2026-11-22" };
const input = (given: object): readonly string[] =>
  Object.entries(given).flatMap(([name, value]) => ["--input", `${name}=${value}`]);

/** Everything that people do with a workbook of formulas. */
async function isWorkedWith(name: string, bytes: Uint8Array): Promise<void> {
  const cwd = createFolder({ "flowsheet.yaml": "", [`workflows/${name}`]: bytes });
  const checked = await flowsheet(["validate"], { cwd });
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining("no problems")]);
  const asked = await flowsheet(["run", "--graph", "Purchase", ...input(VAN), "--json"], { cwd });
  expect(asked.code).toBe(3);
  const { run_id } = JSON.parse(asked.stdout);
  const ended = await flowsheet(["resume", run_id, "--answer", "Approve=yes", "--json"], { cwd });
  expect(JSON.parse(ended.stdout)).toMatchObject({
    status: "completed",
    state: { gross: 23_800, level: "board", due: "2026-12-06", message: "a van is bought for 23,800.00" },
  });
  expect(await flowsheet(["test"], { cwd })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("2 passed"),
  });
  await isCompiled(cwd, name);
  await isServed(cwd);
}

async function isCompiled(cwd: string, name: string): Promise<void> {
  expect(await flowsheet(["compile"], { cwd })).toMatchObject({ code: 0 });
  const module = readFileSync(join(cwd, "generated", name.replace(/\.\w+$/, ".gen.ts")), "utf8");
  expect(module).toContain(
    'lookupRow([["book", 0.07], ["device", 0.19]], "VAT", asText(category, "category"))',
  );
  const project = createProject({ module: "nodenext", types: [], skipLibCheck: true });
  writeFileSync(join(project, "purchase.gen.ts"), module);
  expect(await check(project)).toBe("");
}

async function isServed(folder: string): Promise<void> {
  const service = await startService({ folder, config: authentication() });
  onTestFinished(() => service.stop());
  const initial_state = { net: 100, category: "book", item: "a book", Ordered: "2026-11-22" };
  const headers = [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json"];
  const body = JSON.stringify({ graph_name: "Purchase", initial_state });
  const { status, json } = await request(service.port, "POST /execute", headers, body);
  expect([status, json]).toEqual([
    200,
    expect.objectContaining({
      state: expect.objectContaining({ gross: 107, message: "a book is bought for 107.00" }),
    }),
  ]);
}

describe("the purchase approval of an analyst, in cells alone", () => {
  test("as a library writes it", async () => {
    await isWorkedWith("purchase.xlsx", await purchaseBook());
  });

  // It writes names in small letters, values between ; and functions with a prefix of their own.
  test.skipIf(!hasOffice()).each(inCi ? ["xlsx", "ods"] : ["ods"])(
    "as LibreOffice saves it: .%s",
    async (format) => {
      const [bytes] = converted(new Map([["purchase.xlsx", await purchaseBook()]]), format).values();
      await isWorkedWith(`purchase.${format}`, bytes as Uint8Array);
    },
  );
});
