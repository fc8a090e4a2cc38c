import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acquireLock } from "../../../compiler/files/lock.js";
import { inCi } from "../../how-many.js";
import { describeStudio } from "./stage.js";

describeStudio(
  "a file that is held",
  { files: { "workflows/held.csv": "graph,node,next,agent\nH,First,,echo\n" } },
  (stage) => {
    const onDisk = (name: string): string =>
      readFileSync(join(stage.studio.folder, "workflows", name), "utf8");

    test.skipIf(!inCi)(
      "while another program holds the file, the page says so, asks before it is left, and writes when it can",
      async () => {
        // The server says each time that it cannot write now.
        const page = await stage.open("held.csv", { allows: /503/ });
        await page.getByRole("img", { name: "H: 1 node, from First" }).waitFor();
        const lock = await acquireLock(join(stage.studio.folder, "workflows", ".held.csv.lock"), {
          patienceMs: 1_000,
        });
        await page.getByRole("gridcell", { name: "First", exact: true }).click();
        await page.keyboard.press("ArrowRight");
        await page.keyboard.type("success");
        await page.keyboard.press("Enter");
        await page.getByText("Not saved: another program holds the file · trying again").waitFor();
        const asked = page.waitForEvent("dialog");
        await page.close({ runBeforeUnload: true });
        expect((await asked).type()).toBe("beforeunload");
        await (await asked).dismiss();
        await lock.release();
        await page.getByText("✓ Saved").waitFor();
        expect(onDisk("held.csv")).toBe("graph,node,next,agent\nH,First,,success\n");
      },
    );
  },
);
