import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectAccessible } from "./browser.js";
import { onDisk } from "./rows.js";
import { describeStudio } from "./stage.js";

describeStudio(
  "a folder without a sheet",
  { files: {} },
  (stage) => {
    test.each([
      ["A greeting", "hello.csv", /^Hello: 1 node/],
      ["A person decides", "approval.csv", /^Approval: 4 nodes/],
      ["Two ways", "ways.csv", /^Ways: 3 nodes/],
    ])("begins with the template %s", async (title, file, picture) => {
      const page = await stage.open();
      const button = page.getByRole("button", { name: title });
      await button.waitFor();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
        await expectAccessible(page);
      }
      await button.click();
      await page.getByRole("img", { name: picture }).waitFor();
      await page.getByText("0 errors, 0 warnings").waitFor();
      expect(onDisk(stage, file)).toContain("graph_name,node_name");
      // The page is told of a file that is gone, and would ask for it.
      await page.close();
      rmSync(join(stage.studio.folder, "workflows", file));
    });
  },
  "short",
);
