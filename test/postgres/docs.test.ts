import { describe, expect, test } from "vitest";
import { readBlocks } from "../docs/page.js";
import { openPageShell } from "../docs/page-shell.js";
import { HAS_POSTGRES, newDatabase } from "./asked.js";

describe.runIf(HAS_POSTGRES)("docs/many-machines.md", () => {
  test("its commands do what the page says, on a server", async () => {
    const shell = await openPageShell();
    await shell.run(`export DATABASE_URL=${await newDatabase()}`);
    const blocks = readBlocks("docs/many-machines.md");
    for (const [index, { language, path, content, line }] of blocks.entries()) {
      if (path !== "") shell.write(path, content);
      if (language !== "sh") continue;
      const { all, code } = await shell.run(content);
      expect(code, `line ${line}:\n${all}`).toBe(0);
      const next = blocks[index + 1];
      if (next?.language === "text" && next.path === "") expect(all).toContain(next.content);
    }
  });
});
