import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSheetChecks, type SheetChecks } from "../../runtime/http/sheets/sheet-checks.js";
import { nestedSplits } from "../bench/sheets.js";
import { type RawAnswer, request } from "./raw.js";
import { KEYS, startService, type TestService } from "./service.js";

/** A thread that waits as many milliseconds as it is told, and answers with what it was told. */
const WAITING = `import { parentPort } from "node:worker_threads";
parentPort.on("message", ({ bytes }) => {
  const told = Buffer.from(bytes).toString();
  if (told === "break") throw new Error("broken");
  if (told === "hang") for (;;);
  const all = [];
  if (told === "memory") for (;;) all.push(new Array(1e6).fill(all.length));
  if (told.endsWith("end")) setTimeout(() => process.exit(), 20);
  setTimeout(() => parentPort.postMessage(told), Number(told.split(" ")[0]));
});
`;

describe("sheets of requests", () => {
  const program = join(mkdtempSync(join(tmpdir(), "flowsheet-checks-")), "waiting.mjs");
  beforeAll(() => writeFileSync(program, WAITING));
  const make = (limitMs = 60_000): SheetChecks => createSheetChecks({ program, limitMs, threads: 1 });
  const ask = (
    checks: SheetChecks,
    caller: string,
    told: string,
    signal = new AbortController().signal,
  ): Promise<string> => checks.check({ caller, bytes: Buffer.from(told), signal });

  test("of one caller wait for each other, four at most; others have their turn between", async () => {
    const checks = make();
    const done: string[] = [];
    const told = (caller: string, name: string): Promise<unknown> =>
      ask(checks, caller, `20 ${name}`).then(() => done.push(name));
    const first = ["a1", "a2", "a3", "a4", "a5"].map((name) => told("a", name));
    expect(() => checks.admit("a")).toThrow(expect.objectContaining({ code: "rate_limited" }));
    await expect(ask(checks, "a", "1 a6")).rejects.toMatchObject({ code: "rate_limited", status: 429 });
    checks.admit("b");
    await Promise.all([...first, told("b", "b1")]);
    expect(done.indexOf("b1")).toBeLessThan(done.indexOf("a3"));
    expect(done).toHaveLength(6);
    checks.admit("a");
  });

  test("of very many callers are refused", async () => {
    const checks = make();
    const gone = Array.from({ length: 65 }, () => new AbortController());
    const all = gone.map(({ signal }, i) => ask(checks, `caller ${i}`, "100000 x", signal));
    await expect(ask(checks, "one more", "1")).rejects.toMatchObject({ code: "overloaded", status: 503 });
    for (const one of gone) one.abort();
    expect((await Promise.allSettled(all)).every(({ status }) => status === "rejected")).toBe(true);
    await expect(ask(checks, "one more", "1 done")).resolves.toBe("1 done");
  });

  test("V23 that take too long, or too much memory, are told so, and the next one is checked", async () => {
    const checks = make(2_000);
    await expect(ask(checks, "a", "hang")).rejects.toMatchObject({ code: "sheet_too_complex", status: 422 });
    await expect(ask(make(), "a", "memory")).rejects.toMatchObject({ code: "sheet_too_complex" });
    await expect(ask(make(), "a", "break")).rejects.toThrow("broken");
    await expect(ask(checks, "a", "1 x")).resolves.toBe("1 x");
  });
});

test("a thread that has ended by itself is not waited for", async () => {
  const program = join(mkdtempSync(join(tmpdir(), "flowsheet-checks-")), "ending.mjs");
  writeFileSync(program, WAITING);
  const checks = createSheetChecks({ program, limitMs: 60_000, threads: 1 });
  const { signal } = new AbortController();
  const ask = (told: string): Promise<string> =>
    checks.check({ caller: "a", bytes: Buffer.from(told), signal });
  await expect(ask("0 end")).resolves.toBe("0 end");
  await sleep(500);
  await expect(ask("0 again")).resolves.toBe("0 again");
});

describe("POST /validation/csv", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const check = (sheet: string): Promise<RawAnswer> =>
    request(
      service.port,
      "POST /validation/csv",
      [`X-API-Key: ${KEYS.readonly}`, "Content-Type: text/csv"],
      sheet,
    );

  test("an answer is not many times as long as its sheet, however much there is to mend", async () => {
    const pairs = Array.from({ length: 20_000 }, (_, i) => `k${i}=v${i}`).join(", ");
    const sheet = `graph_name,node_name,agent_type,context\nG,A,mine,"{${pairs}}"\n`;
    const { body, json } = await check(sheet);
    expect(body.length).toBeLessThan(3 * sheet.length);
    const diagnostics = (json?.["diagnostics"] ?? []) as readonly {
      readonly fix: { readonly edits: readonly { readonly text: string }[] };
    }[];
    const [edit, ...others] = diagnostics[0]?.fix.edits ?? [];
    expect(others).toEqual([]);
    expect(edit?.text.slice(0, 40)).toContain(`""k0"":""v0"", ""k1"":""v1"", ""k2"":`);
  });

  // A machine with other work may hold up one answer: were it done where requests are answered, one waits each time.
  test("V23 splits nested 3,000 deep: whoever asks meanwhile is answered at once", { retry: 2 }, async () => {
    await check(nestedSplits(2));
    const asked = performance.now();
    let isDone = false;
    const checked = check(nestedSplits(3_000)).finally(() => {
      isDone = true;
    });
    let slowest = 0;
    while (!isDone) {
      const began = performance.now();
      expect((await request(service.port, "GET /health")).status).toBe(200);
      slowest = Math.max(slowest, performance.now() - began);
      await sleep(5);
    }
    expect((await checked).json).toMatchObject({ valid: true });
    expect(slowest).toBeLessThan((performance.now() - asked) / 3);
  });
});
