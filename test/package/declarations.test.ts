import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { outside, pack, thisNode, type, typeWell } from "./npm.js";

const { exports, dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly exports: { readonly [path: string]: string | { readonly types: string } };
  readonly dependencies: { readonly [name: string]: string };
};

/** Every entry that has types, as it is imported. */
const entries = Object.entries(exports).flatMap(([path, target]) =>
  typeof target === "string" ? [] : [path.replace(/^\./, "flowsheet")],
);

/** Uses all of an entry, so that nothing of it is passed over. */
const USES = entries
  .map((entry, i) => `import * as entry${i} from ${JSON.stringify(entry)};\nvoid entry${i};\n`)
  .join("");

const STRICT = { module: "nodenext", target: "es2023", lib: ["es2023"], types: ["node"], strict: true };
const STRICTEST = {
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
};

/** A folder in which the packed package is installed with its dependencies and these packages, and no others. */
async function consumer(folder: string, more: readonly string[]): Promise<void> {
  const modules = join(folder, "node_modules");
  mkdirSync(modules, { recursive: true });
  await typeWell(`tar xzf ${await pack()} -C ${modules}`, folder, thisNode());
  renameSync(join(modules, "package"), join(modules, "flowsheet"));
  for (const name of [...Object.keys(dependencies), ...more]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(resolve("node_modules", name), join(modules, name));
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
}

/** What TypeScript says of a program and of our declarations; what it says of declarations of others is theirs. */
async function faults(folder: string, text: string, options: object): Promise<readonly string[]> {
  writeFileSync(join(folder, "program.ts"), text);
  const compilerOptions = { ...STRICT, skipLibCheck: false, outDir: "out", ...options };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  const { stdout } = await type(resolve("node_modules/.bin/tsc"), folder, thisNode());
  return stdout
    .split("\n")
    .filter((line) => /^(?:program|node_modules\/flowsheet\/|error)/.test(line))
    .map((line) => line.trim());
}

describe("our declarations in the project of a user", () => {
  const plain = outside();
  const express = outside();

  beforeAll(async () => {
    await consumer(plain, ["@types/node"]);
    await consumer(express, ["@types/node", "@types/express"]);
  });

  test.each([
    ["strict", {}],
    ["all that is stricter", STRICTEST],
    ["a bundler's ways", { module: "esnext", moduleResolution: "bundler" }],
  ])("every entry type-checks with what the package brings alone: %s", async (_, options) => {
    expect(entries.length).toBeGreaterThanOrEqual(7);
    expect(await faults(plain, USES, options)).toEqual([]);
  });

  test("a fault of ours would be seen", async () => {
    const file = join(plain, "node_modules/flowsheet/dist/runtime/graph/index.d.ts");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, `${text}export type { Nothing } from "not-there";\n`);
    const found = await faults(plain, `${USES}export const wrong: string = 7;\n`, {});
    writeFileSync(file, text);
    expect([...found].sort()).toEqual([
      expect.stringMatching(/^node_modules\/flowsheet\/dist.*TS2307/),
      expect.stringMatching(/^program\.ts.*TS2322/),
    ]);
  });

  test.each([
    ["strict", {}],
    ["all that is stricter", STRICTEST],
  ])("what is made for Express fits it: %s", async (_, options) => {
    expect(await faults(express, EXPRESS, options)).toEqual([]);
  });

  test("the services of a project are typed where they are handed in and where agents use them, and arrive", async () => {
    writeFileSync(join(plain, "names.csv"), NAMES);
    expect(await faults(plain, SERVICES, STRICTEST)).toEqual([]);
    expect((await typeWell("node out/program.js", plain, thisNode())).stdout).toBe("Ada\n");
  });

  test("what is made for Express can be exported with its type, also where Express has none", async () => {
    expect(await faults(plain, EXPORTED, { declaration: true })).toEqual([]);
    const made = readFileSync(join(plain, "out/program.d.ts"), "utf8");
    expect(made).not.toMatch(/\bany\b|node_modules/);
  });
});

const EXPRESS = `import express, { type RequestHandler } from "express";
import { createAuth, createRouter, type Handler } from "flowsheet/server";

const app = express();
const router = createRouter({ cwd: "." });
const auth = createAuth({ clientAddress: (request: express.Request) => request.ip });
app.use(router);
app.use("/flows", router);
app.use("/flows", auth.requires("read"), router);
app.get("/report/:id", auth.requires("read", "write"), (request, response) => {
  response.json({ id: request.params.id satisfies string, by: auth.principalOf(request)?.name });
});
const below = express.Router();
below.use("/deep", router);
app.use([auth.requires("read"), router]);

export const all: readonly RequestHandler[] = [router, auth.requires("admin")];
export const mounted: Handler = router;
// @ts-expect-error it is no handler of errors
export const wrong: express.ErrorRequestHandler = router;
// @ts-expect-error a handler is called with a request
router(7);
`;

const NAMES = "graph_name,node_name,agent_type,input_fields,output_field\nNames,Find,name,id:number,name\n";

const SERVICES = `import { Agent, type AgentContext, Flowsheet, type Services } from "flowsheet";
import type { RunOptions } from "flowsheet/graph";
import { createRouter } from "flowsheet/server";

interface Database { query(text: string, values: readonly unknown[]): Promise<{ rows: unknown[] }> }
declare module "flowsheet" { interface Services { readonly db: Database } }

class NameAgent extends Agent<{ id: number }, string> {
  override async process({ id }: { id: number }, { services }: AgentContext) {
    const { rows } = await services.db.query("SELECT name FROM customers WHERE id = $1", [id]);
    // @ts-expect-error a client has no such method
    void services.db.select;
    return String(rows[0]);
  }
}

const db: Services["db"] = { query: async (_text, [id]) => ({ rows: id === 7 ? ["Ada"] : [] }) };
const flowsheet = new Flowsheet({ cwd: ".", agents: { NameAgent }, services: { db } });
const { state } = await flowsheet.runWorkflow({ graphName: "Names", initialState: { id: 7 } });
console.log(state["name"]);

export const router = () => createRouter({ services: { db } });
export const some: RunOptions = { services: {} };
// @ts-expect-error the database is missing
export const none = () => new Flowsheet({ services: {} });
// @ts-expect-error this is no database
export const wrong = () => createRouter({ services: { db: 7 } });
`;

const EXPORTED = `import { createAuth, createRouter } from "flowsheet/server";

export const router = createRouter();
export const auth = createAuth();
export const guard = auth.requires("read");
`;
