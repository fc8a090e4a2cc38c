import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { flowsheet } from "../cli/run.js";
import { packagesIn, packagesSize } from "./installed.js";
import { install, outside, pack, thisNode, typeWell } from "./npm.js";

const SHEET = `graph_name,node_name,next_node,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt,context
Order,Read,Check,csv_reader,,,,rows,prices.csv,
Order,Check,,stock,Say,Sorry,name:string,left:number,,
Order,Say,Ask,echo,,,name|left,reply,{name}: {left} left,
Order,Ask,,llm,,,reply,polite,Say it politely: {reply},"{""provider"": ""canned""}"
Order,Sorry,,echo,,,name,reply,No {name} here,
`;
const AGENT = `import { Agent, type AgentContext, type Failure, fail } from "flowsheet-runtime";

declare module "flowsheet-runtime" {
  interface Services {
    readonly shop?: { readonly stock: number };
  }
}

export class StockAgent extends Agent<{ readonly name: string }, number | Failure> {
  async process({ name }: { readonly name: string }, { services }: AgentContext): Promise<number | Failure> {
    if (services.shop !== undefined) return services.shop.stock satisfies number;
    return name === "tea" ? 7 : fail("there is none");
  }
}
`;
const PROGRAM = `import { order } from "./generated/order.gen.js";

for (const name of ["tea", "gold"]) {
  const result = await order.run({ name });
  console.log(result.status, JSON.stringify({ ...result.state, error: undefined }));
}
// @ts-expect-error the name is a text
export const wrongInput = () => order.run({ name: 7 });
`;
const PRINTED = `completed {"name":"tea","rows":[{"item":"tea","price":"3"}],"left":7,"reply":"tea: 7 left","polite":"If you please."}
completed {"name":"gold","rows":[{"item":"tea","price":"3"}],"reply":"No gold here"}
`;
const CONFIG = `generated_import: flowsheet-runtime
llm:
  providers:
    canned: { kind: mock, answers: { politely: "If you please." } }
`;

/** A project whose module stands in \`out\` as JavaScript. */
async function compileProject(
  folder: string,
  { config, agent }: { config: string; agent: string },
): Promise<void> {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write("package.json", '{ "type": "module" }\n');
  write("flowsheet.yaml", config);
  write("workflows/order.csv", SHEET);
  write("agents/stock.ts", agent);
  write("data/prices.csv", "item,price\ntea,3\n");
  write("main.ts", PROGRAM);
  const options = { module: "nodenext", target: "es2023", strict: true, outDir: "out", rootDir: "." };
  const typeRoots = [resolve("node_modules/@types")];
  write(
    "tsconfig.json",
    JSON.stringify({ compilerOptions: { ...options, types: ["node"], typeRoots }, files: ["main.ts"] }),
  );
  expect(await flowsheet(["compile", "--types"], { cwd: folder })).toMatchObject({ code: 0 });
  const tsc = join(
    dirname(createRequire(import.meta.url).resolve("@typescript/native/package.json")),
    "bin/tsc",
  );
  await typeWell(`node ${tsc}`, folder, thisNode());
}

describe("the small package", () => {
  const folder = outside();
  let lacks: string | null = null;

  beforeAll(async () => {
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
    lacks = await install(await pack("dist-runtime"), folder, thisNode());
    if (lacks !== null) console.warn(`SKIPPED, the small package was not tried: ${lacks}`);
  });
  beforeEach(({ skip }) => {
    if (lacks !== null) skip(lacks);
  });

  test("takes at most 2 MB, and brings no compiler and no server", () => {
    const size = packagesSize(folder);
    console.info(`flowsheet-runtime and its packages without SQLite take ${size.toFixed(1)} MB`);
    expect(packagesIn(folder)).toEqual([
      "flowsheet-runtime",
      "graceful-fs",
      "proper-lockfile",
      "retry",
      "signal-exit",
    ]);
    expect(size).toBeGreaterThan(0.2);
    expect(size).toBeLessThan(2);
  });

  test("is the same version as the whole, and has what its package.json names", () => {
    const root = join(folder, "node_modules/flowsheet-runtime");
    const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      readonly version: string;
      readonly exports: {
        readonly [path: string]: string | { readonly types: string; readonly default: string };
      };
    };
    expect(own.version).toBe(
      (JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version,
    );
    const named = Object.values(own.exports).flatMap((one) =>
      typeof one === "string" ? [one] : Object.values(one),
    );
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("a module that imports it type-checks and runs, with an agent, files and a model", async () => {
    await compileProject(folder, { config: CONFIG, agent: AGENT });
    const module = readFileSync(join(folder, "generated/order.gen.ts"), "utf8");
    expect(module.match(/from "flowsheet[^"]*"/g)).toEqual([
      'from "flowsheet-runtime/agents"',
      'from "flowsheet-runtime/graph"',
    ]);
    expect((await typeWell("node out/main.js", folder, thisNode())).stdout).toBe(PRINTED);
  });

  test("the whole package runs the same project as it is", async () => {
    for (const how of [[], ["--generated"]]) {
      const args = ["run", "--graph", "Order", "--input", "name=gold", "--quiet", ...how];
      const { code, stdout } = await flowsheet(args, { cwd: folder });
      expect([code, JSON.parse(stdout)]).toMatchObject([0, { reply: "No gold here" }]);
    }
  });
});

test("modules that import the whole package load no compiler: nothing but it need be there", async () => {
  const folder = outside();
  const own = join(folder, "node_modules/flowsheet");
  for (const name of ["package.json", "dist"]) cpSync(name, join(own, name), { recursive: true });
  const config = CONFIG.replace(/^.*\n/, "");
  await compileProject(folder, { config, agent: AGENT.replaceAll("flowsheet-runtime", "flowsheet") });
  // Files are read and written with a package that is small; models and storage are loaded on demand.
  for (const name of ["proper-lockfile", "graceful-fs", "retry", "yaml"])
    cpSync(`node_modules/${name}`, join(folder, `node_modules/${name}`), { recursive: true });
  expect((await typeWell("node out/main.js", folder, thisNode())).stdout).toBe(PRINTED);
});
