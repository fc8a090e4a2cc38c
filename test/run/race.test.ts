import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Flowsheet } from "../../runtime/index.js";
import { createFolder } from "../cli/folder.js";
import { type ProcessEnded as Ended, flowsheetProcess as flowsheet } from "../cli/process.js";
import { howMany } from "../how-many.js";
import { sheetOf } from "./sheets.js";

const ROUNDS = howMany(10, 2);

test(`two processes resume one run at the same time, ${ROUNDS} times: one wins, the other is told`, async () => {
  const cwd = createFolder({
    "a.csv": sheetOf("G,Ask,Note,input,,,,a,?,", "G,Note,,note,,,a,b,,"),
    "agents/note.js": `import { appendFileSync } from "node:fs";
      import { defineAgent } from "flowsheet";
      export const note = defineAgent(async ({ a }, { runId }) => {
        appendFileSync("CALLS", runId + "\\n");
        await new Promise((resolve) => setTimeout(resolve, 20));
        return a;
      });`,
  });
  const library = new Flowsheet({ cwd });
  const ids: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { runId: id } = await library.runWorkflow({ csvPath: "a.csv" });
    ids.push(id);
    const resume = (answer: string): Promise<Ended> =>
      flowsheet(["resume", id, "--answer", `Ask=${answer}`, "--json"], { cwd });
    const ended = await Promise.all([resume("first"), resume("second")]);
    const [won, lost] = ended[0].code === 0 ? ended : [ended[1], ended[0]];
    expect([won.code, lost.stdout]).toEqual([0, ""]);
    // Unknown when it came after the end: exit 2.
    expect(lost.code).toBe(/no (?:suspended )?run has the id/.test(lost.stderr) ? 2 : 1);
    expect(lost.stderr).toMatch(/has been answered already|has ended|no (?:suspended )?run has the id/);
    const answer = won === ended[0] ? "first" : "second";
    expect(JSON.parse(won.stdout)).toMatchObject({ state: { a: answer, b: answer } });
  }
  expect(readFileSync(join(cwd, "CALLS"), "utf8").trim().split("\n")).toEqual(ids);
  expect(await library.runs()).toEqual([]);
});
