import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

const SHEET = `graph_name,node_name,next_node,agent_type,input_fields,output_field
S,A,B,adder,first|other=second|title|how,total
S,B,,adder,first|other=third:number|title|how,more
`;
const AGENTS = `import { defineAgent } from "flowsheet";
interface Inputs { first: number; other: number; title: string; how: "fast" | "slow" }
export const adder = defineAgent(({ first, other }: Inputs) => ({ total: first + other, more: first + other }));
`;

test("what an agent declares and the sheet does not say is proposed, and written with --fix", {
  timeout: 60_000,
}, async () => {
  const cwd = createFolder({ "s.csv": SHEET, "agents/all.ts": AGENTS });
  const said = await flowsheet(["validate", "--types", "s.csv"], { cwd });
  expect(said.code).toBe(0);
  expect(said.stdout.match(/untyped-input/g)).toHaveLength(3);
  expect(said.stdout).toContain('"adder" takes "first" as number');
  const given = ["first=3", "second=4", "third=5", "title=7", "how=FAST"].flatMap((pair) => [
    "--input",
    pair,
  ]);
  const mended = await flowsheet(["validate", "--types", "--fix", "s.csv"], { cwd });
  expect(mended.code).toBe(0);
  expect(mended.stdout).not.toContain("untyped-input");
  expect(readFileSync(join(cwd, "s.csv"), "utf8").split("\n")[1]).toBe(
    "S,A,B,adder,first:number|other=second:number|title|how:'fast'/'slow',total",
  );
  const run = await flowsheet(["run", "s.csv", ...given, "--quiet"], { cwd });
  expect(JSON.parse(run.stdout)).toMatchObject({ total: 7, more: 8, title: "7", how: "fast" });
});
