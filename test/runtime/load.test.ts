import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type LoadedAgent, loadAgents } from "../../runtime/agents/custom/load.js";
import * as agents from "../../runtime/agents/index.js";
import { type Act, tiny } from "./tiny.js";

const root = mkdtempSync(join(tmpdir(), "flowsheet-load-"));
let folder = "";
let count = 0;
beforeEach(() => {
  count += 1;
  folder = join(root, `p${count}`, "agents");
  mkdirSync(folder, { recursive: true });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const write = (name: string, text: string): string => {
  const file = join(folder, name);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const modules = { flowsheet: agents, "flowsheet/agents": agents };
const load = (...types: string[]): Promise<readonly LoadedAgent[]> =>
  loadAgents({ folder, types, cache: join(folder, "..", "cache"), modules });
const answer = async (types: readonly string[], given: object = {}): Promise<unknown> => {
  const [loaded] = await load(...types);
  const graph = tiny({ A: { agent: loaded?.agent as Act, reads: Object.keys(given), writes: ["a"] } });
  const { state, error } = await graph.run({ ...given });
  return error?.message ?? state["a"];
};

describe("agents of the project", () => {
  it("JavaScript is imported", async () => {
    write("rain.mjs", "class Base {}\nexport class Rain extends Base { process() { return 'rain'; } }");
    expect(await answer(["rain"])).toBe("rain");
  });

  it("JavaScript that imports flowsheet finds it, wherever it stands", async () => {
    write(
      "sunny.js",
      'import { Agent } from "flowsheet";\nexport class Sunny extends Agent { process({ city }) { return "Sunny in " + city; } }',
    );
    expect(await answer(["sunny"], { city: "Rome" })).toBe("Sunny in Rome");
  });

  it("TypeScript is bundled, with what it imports, and shares our classes", async () => {
    write("lib/words.ts", "export const word: string = 'warm';");
    write(
      "weather.ts",
      `import { readFileSync } from "node:fs";
       import { Agent, defineAgent, fail, type AgentContext } from "flowsheet";
       import { word } from "./lib/words.js";
       export class WeatherAgent extends Agent<{ city: string }, string> {
         async process({ city }: { city: string }, context: AgentContext) {
           return typeof readFileSync === "function" ? \`\${context.node}: \${word} in \${city}\` : fail("no fs");
         }
       }
       export const noWeather = defineAgent(() => fail("closed"));`,
    );
    expect(await answer(["weather"], { city: "Rome" })).toBe("A: warm in Rome");
    const [loaded] = await load("Weather Agent");
    expect(Object.getPrototypeOf(loaded?.agent)).toBe(agents.Agent);
    expect(await answer(["no_weather"])).toBeUndefined();
  });

  it.each(["ts", "js"])(
    "in a package of CommonJS an agent in .%s uses its code, and knows where it stands",
    async (end) => {
      write("../package.json", '{ "type": "commonjs" }');
      write(
        "../src/rates.js",
        'const { join } = require("node:path");\nexports.rate = (name) => join("rates", name);',
      );
      write("words.txt", "warm");
      write(
        `rate.${end}`,
        `import { readFileSync } from "node:fs";
       import { createRequire } from "node:module";
       import { defineAgent } from "flowsheet";
       import { rate } from "../src/rates.js";
       const require = createRequire(import.meta.url);
       const words = readFileSync(new URL("words.txt", import.meta.url), "utf8");
       export const rates = defineAgent(() => [rate("EUR"), words, require("../src/rates.js").rate("USD")].join());`,
      );
      expect(await answer(["rates"])).toBe("rates/EUR,warm,rates/USD");
    },
  );

  it("a bundle is kept until a file of it changes", async () => {
    const file = write(
      "number.ts",
      'import { defineAgent } from "flowsheet";\nimport { n } from "./n.js";\nexport const number = defineAgent(() => n as number);',
    );
    const other = write("n.ts", "export const n = 1;");
    expect(await answer(["number"])).toBe(1);
    const cache = join(folder, "..", "cache");
    const kept = readdirSync(cache).sort();
    expect(kept).toHaveLength(2);
    const bundle = join(cache, kept.find((name) => name.endsWith(".mjs")) ?? "");
    utimesSync(bundle, 1, 1);
    expect(await answer(["number"])).toBe(1);
    writeFileSync(other, "export const n = 22;");
    expect(await answer(["number"])).toBe(22);
    writeFileSync(
      file,
      'import { defineAgent } from "flowsheet";\nexport const number = defineAgent(() => 3);',
    );
    expect(await answer(["number"])).toBe(3);
  });

  it("only the files that are needed are run", async () => {
    write(
      "good.ts",
      'import { defineAgent } from "flowsheet";\nexport const good = defineAgent(() => "good");',
    );
    write(
      "bad.ts",
      'import { defineAgent } from "flowsheet";\nthrow new Error("was run");\nexport const bad = defineAgent(() => 1);',
    );
    expect(await answer(["good"])).toBe("good");
    expect(await load("nowhere")).toEqual([]);
    await expect(load("bad")).rejects.toMatchObject({
      code: "agent_unusable",
      message: expect.stringMatching(/bad\.ts: it cannot be loaded: was run$/),
    });
  });

  it("a syntax error has its place", async () => {
    write(
      "broken.ts",
      'import { Agent } from "flowsheet";\nexport class Broken extends Agent {\n  process( { return 1; }\n}',
    );
    await expect(load("broken")).rejects.toMatchObject({
      line: 3,
      file: join(folder, "broken.ts"),
      message: expect.stringContaining("broken.ts:3:"),
    });
    write("cracked.js", "export class Cracked extends Object {\n  process() { return 1 1; }\n}");
    await expect(load("cracked")).rejects.toMatchObject({ line: 2, column: 24 });
  });

  it("a package that is not there is named with its place", async () => {
    write(
      "far.ts",
      'import { Agent } from "flowsheet";\nimport x from "no-such-package";\nexport class Far extends Agent { process() { return x; } }',
    );
    await expect(load("far")).rejects.toMatchObject({
      line: 2,
      message: expect.stringContaining('the package "no-such-package" is not installed'),
    });
  });

  it("two agents with one name are refused, both named", async () => {
    const text = 'import { defineAgent } from "flowsheet";\nexport const twin = defineAgent(() => 1);';
    write("a.ts", text);
    write("b.ts", text);
    await expect(load("twin")).rejects.toMatchObject({
      message: expect.stringMatching(/b\.ts: the agent "twin" is also written in .*a\.ts/),
    });
  });

  it("what is no agent is refused", async () => {
    write("odd.js", "export class Odd extends Object {}");
    await expect(load("odd")).rejects.toThrow('the class "Odd" has no method "process"');
  });
});
