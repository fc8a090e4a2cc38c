import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

/** A sheet with a setting so deep in lists, and one in mappings. */
const sheet = (depth: number): string => {
  const row = (name: string, open: string, close: string): string => {
    const json = `{"a":${open.repeat(depth - 1)}1${close.repeat(depth - 1)}}`;
    return `${name},A,echo,x,y,{x},"${json.replaceAll('"', '""')}"\n`;
  };
  const header = "graph_name,node_name,agent_type,input_fields,output_field,prompt,context\n";
  return header + row("L", "[", "]") + row("M", '{"a":', "}");
};

test("settings as deep as a sheet may have them type-check", async () => {
  const cwd = createFolder({ "fine.csv": sheet(40), "deep.csv": sheet(41) });
  expect((await flowsheet(["compile", "fine.csv", "--types"], { cwd })).code).toBe(0);
  const deep = await flowsheet(["compile", "deep.csv", "--types"], { cwd });
  expect(deep.code).toBe(1);
  expect(deep.stderr.match(/nested more than 40 deep/g)).toHaveLength(2);
});
