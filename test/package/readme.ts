import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type, typeWell } from "./npm.js";

/** What is said there is for a clone of the repository. */
const CLONE = "## From a clone";
/** Installed already, by the path of the packed file. */
const INSTALL = "npm install flowsheet";

/** Saves, types and runs what the README says, in its order and where it says so. */
export async function tryReadme(readme: string, cwd: string, bin: string): Promise<void> {
  const blocks = readme.slice(0, readme.indexOf(CLONE)).matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms);
  const seen = { json: "", runId: "", commands: 0, programs: 0 };
  for (const [, language, file, text = ""] of blocks) {
    if (file !== undefined) writeFileSync(join(cwd, file), text);
    else if (language === "sh") {
      for (const line of text
        .trim()
        .split("\n")
        .filter((one) => one !== INSTALL)) {
        const [command = "", remark = ""] = line.split(/\s+# /);
        // npx takes a second each time: once shows that it finds the program.
        const typed = seen.commands === 0 ? command : command.replace(/^npx /, "node_modules/.bin/");
        const { code, stdout } = await type(typed.replace("<run_id>", seen.runId), cwd, bin);
        expect({ command, code }).toEqual({ command, code: Number(/exit code (\d)/.exec(remark)?.[1] ?? 0) });
        seen.json = stdout;
        seen.runId = /"run_id": "([^"]+)"|^([\w-]{8,})\s/m.exec(stdout)?.slice(1).find(Boolean) ?? seen.runId;
        seen.commands += 1;
      }
    } else if (language === "json") expect(JSON.parse(seen.json)).toEqual(JSON.parse(text));
    else if (language === "ts" && !text.startsWith("// @generated")) {
      const said = `${text}console.log("done");\n`;
      writeFileSync(join(cwd, "readme.ts"), said);
      const flags =
        "--bundle --platform=node --format=esm --packages=external --outfile=readme.mjs --log-level=error";
      const { stdout } = await typeWell(
        `node_modules/.bin/esbuild readme.ts ${flags} && node readme.mjs`,
        cwd,
        bin,
      );
      expect(stdout).toMatch(/done\n$/);
      seen.programs += 1;
    }
  }
  expect(seen.json).toContain("We pay 40 back.");
  expect([seen.commands, seen.programs]).toEqual([5, 2]);
}
