import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

const SHEET = `graph_name,node_name,next_node,agent_type,input_fields,output_field
S,A,B,tip,topic:string|more=hint?,tip
S,B,,need,more=hint?,b
`;
const AGENTS = `import { defineAgent } from "flowsheet";
export const tip = defineAgent(({ topic, more }: { topic: string; more?: string }) => ({ tip: topic + more }));
export const need = defineAgent(({ more }: { more: string | undefined }) => ({ b: more ?? "" }));
`;

test("an optional input without undefined is told as what it is, where TypeScript tells the two apart", async () => {
  const cwd = createFolder({ "s.csv": SHEET, "agents/all.ts": AGENTS });
  const configure = (options: object): void =>
    writeFileSync(
      join(cwd, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { module: "nodenext", strict: true, ...options } }),
    );
  const validate = () => flowsheet(["validate", "--types"], { cwd });
  configure({});
  expect(await validate()).toMatchObject({ code: 0 });
  configure({ exactOptionalPropertyTypes: true });
  const { code, stdout } = await validate();
  expect(code).toBe(1);
  expect(
    stdout,
  ).toBe(`error type-mismatch: "hint" comes as undefined where it is unset, but agent "tip" of "A" takes only string for "more"
  --> s.csv:2:24   cell E2 · graph S · node A
   2 | S,A,B,tip,topic:string|more=hint?,tip
     |                        ^^^^^^^^^^
  = help: let the agent declare undefined as well, as in more?: string | undefined: exactOptionalPropertyTypes asks for it

1 error in s.csv
`);
  writeFileSync(join(cwd, "agents/all.ts"), AGENTS.replace("more?: string }", "more?: string | undefined }"));
  expect(await validate()).toMatchObject({ code: 0 });
});
