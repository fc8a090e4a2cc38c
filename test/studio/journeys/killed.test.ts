import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createFolder } from "../../cli/folder.js";
import { howMany } from "../../how-many.js";
import { freePort } from "../../http/free-port.js";
import { cellOf } from "../page/rows.js";
import { describeInBrowser } from "../page/stage.js";

const ROWS = Array.from({ length: 2_000 }, (_, i) => `H,N${i},N${i + 1},echo\n`).join("");
const sheet = (next: string): string => `graph,node,next,agent\nH,First,${next},echo\n${ROWS}H,N2000,,echo\n`;

/** `flowsheet studio` in a process of its own, which begins again at the same address. */
function createProcess() {
  let child: ChildProcess | null = null;
  const kill = async (): Promise<void> => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  const begin = async (cwd: string, port: number): Promise<string> => {
    const args = [resolve("dist/cli/bin.js"), "studio", "sheet.csv", "--port", String(port)];
    child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "ignore"] });
    let told = "";
    for await (const part of child.stdout ?? []) {
      told += String(part);
      const [address] = /http:\S+#token=\S+/.exec(told) ?? [];
      if (address !== undefined) return address;
    }
    throw new Error(`the Studio did not start: ${told}`);
  };
  return { kill, begin, stop: kill };
}

describeInBrowser(
  "kill -9 of the server under an open page",
  async () => createProcess(),
  (stage) => {
    test("in the midst of a save: the file is old or new, and no edit is lost", async () => {
      const [{ kill, begin }, port] = [stage.server, await freePort()];
      const cwd = createFolder({ "sheet.csv": sheet("N0") });
      const page = await stage.visit(await begin(cwd, port), { allows: /401|ERR_/ });
      await page.getByRole("img", { name: /^H: 2002 nodes/ }).waitFor();
      let before = "N0";
      for (let round = 0; round < howMany(5, 2, "KILL_ROUNDS"); round++) {
        const after = `N${round + 1}`;
        const save = page.waitForRequest((request) => request.method() === "PATCH");
        await cellOf(page, "First", "Next").click();
        await page.keyboard.type(after);
        await page.keyboard.press("Tab");
        await save;
        // Each round dies at another point of the save.
        await sleep((5 * round) % 23);
        await kill();
        expect([sheet(before), sheet(after)]).toContain(readFileSync(join(cwd, "sheet.csv"), "utf8"));
        const [, token = ""] = (await begin(cwd, port)).split(/token=|&/);
        await page.getByLabel(/API key or token/).fill(token);
        await page.getByRole("button", { name: "Open" }).click();
        await cellOf(page, "First", "Next")
          .filter({ hasText: new RegExp(`^${after}$`) })
          .waitFor();
        await expect.poll(() => readFileSync(join(cwd, "sheet.csv"), "utf8")).toBe(sheet(after));
        before = after;
      }
    });
  },
);
