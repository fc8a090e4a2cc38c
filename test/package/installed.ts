import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freePort } from "../http/free-port.js";
import { environment, install, outside, pack, QUIET, thisNode, typeWell } from "./npm.js";
import { tryReadme } from "./readme.js";

const FLOWSHEET = "node_modules/.bin/flowsheet";
const CALL = `graph_name,node_name,agent_type,output_field,context.server,context.tool
Call,Ask,mcp,result,crm,find
`;

/** An installation without optional peers takes no more than this. */
const MOST_MB = 80;

/** The folder of a Node's program, or why it is not there. */
type NodeAt = { readonly bin: string } | { readonly lacks: string };

/** What a new user does with the packed package, in an empty folder, with one Node. */
export function testInstalled(name: string, find: () => Promise<NodeAt>): void {
  describe(`the packed package with ${name}`, () => {
    let lacks: string | null = null;
    let bin = "";
    const folder = outside();
    const demo = join(folder, "demo");
    const run = (line: string, cwd = demo) => typeWell(line, cwd, bin);

    beforeAll(async () => {
      const node = await find();
      if ("lacks" in node) lacks = node.lacks;
      else {
        bin = node.bin;
        lacks = await install(await pack(), folder, bin);
      }
      if (lacks !== null) console.warn(`SKIPPED, nothing of the package was tried with ${name}: ${lacks}`);
    });

    beforeEach(({ skip }) => {
      if (lacks !== null) skip(lacks);
    });

    test(`takes at most ${MOST_MB} MB`, async () => {
      const modules = join(folder, "node_modules");
      const size = packagesSize(folder);
      const { stdout } = await run("node --version", folder);
      console.info(`${stdout.trim()}: flowsheet and its packages without SQLite take ${size.toFixed(1)} MB`);
      expect(["ai", "@ai-sdk", "@scarf"].filter((one) => existsSync(join(modules, one)))).toEqual([]);
      expect(size).toBeGreaterThan(10);
      expect(size).toBeLessThanOrEqual(MOST_MB);
    });

    test("its README works from an empty folder", async ({ skip }) => {
      if (bin !== thisNode()) skip("one Node is enough for what is written there");
      await tryReadme(readFileSync(join(folder, "node_modules/flowsheet/README.md"), "utf8"), folder, bin);
    });

    test("makes a project, and each command that it prints works", async () => {
      const { stdout } = await run("npx flowsheet init demo", folder);
      const steps = [...stdout.matchAll(/^ {2}(.*?) +# .*$/gm)].map(([, step = ""]) => step);
      expect(steps).toEqual(
        expect.arrayContaining(["cd demo", "npm install", "npm run compile", "npm test", STUDIO]),
      );
      for (const step of steps.filter((one) => one !== "cd demo" && one !== STUDIO)) {
        const { stderr } = await run(step === "npm install" ? `${step} ${QUIET}` : step);
        // An unknown setting in the user's npmrc is the user's.
        // npm names scripts that it does not run: prepare is there for whoever installs from the repository.
        const usual = "Unknown (?:user|project|env|global) config|install-scripts";
        expect(stderr, step).not.toMatch(new RegExp(`npm warn (?!${usual})`, "i"));
      }
      expect(existsSync(join(demo, "generated/hello.gen.ts"))).toBe(true);
    });

    // npx takes a second each time: the steps above show that it finds the program.
    test("reads a large sheet without a word of V8", async () => {
      const row = (_: unknown, i: number): string => `Large,N${i},${i < 1_999 ? `N${i + 1}` : ""},echo,hello`;
      const rows = Array.from({ length: 2_000 }, row);
      writeFileSync(
        join(folder, "large.csv"),
        `graph_name,node_name,next_node,agent_type,prompt\n${rows.join("\n")}\n`,
      );
      const { stdout, stderr } = await run("node_modules/.bin/flowsheet validate large.csv", folder);
      expect([stdout.split("\n")[0], stderr]).toEqual(["large.csv: no problems (1 graph, 2000 nodes)", ""]);
    });

    test("tests its sheets and runs them", async () => {
      expect((await run("node_modules/.bin/flowsheet test")).stdout).toContain("3 passed, 0 failed");
      const { stdout } = await run(
        'node_modules/.bin/flowsheet run --graph Hello --input name="grace hopper" --quiet',
      );
      expect(JSON.parse(stdout)).toMatchObject({ greeting: "Hello Grace Hopper, welcome to Flowsheet!" });
    });

    test("a program that uses a generated module type-checks, runs, and is told its mistakes", async () => {
      writeFileSync(join(demo, "main.ts"), PROGRAM);
      // The flags of the new project, and none but strict: also our declarations are checked then.
      await run("node_modules/.bin/tsc");
      writeFileSync(join(demo, "tsconfig.plain.json"), JSON.stringify({ compilerOptions: PLAIN }));
      await run("node_modules/.bin/tsc -p tsconfig.plain.json");
      expect((await run("node out/main.js")).stdout).toBe("Hello Ada Lovelace, welcome to Flowsheet!\n");
    });

    test("says how to install what runs on a database server need", async () => {
      writeFileSync(join(demo, "server.yaml"), "runs: { store: env:DATABASE_URL }\n");
      const line = "node_modules/.bin/flowsheet --config server.yaml runs";
      const { stdout } = await run(
        `DATABASE_URL=postgres://ada:canary@db/flows ${line} 2>&1 || echo "code $?"`,
      );
      expect(stdout).toContain("must be installed; run: npm install pg @dbos-inc/dbos-sdk\n");
      expect(stdout).toMatch(/code 2$/m);
      expect(stdout).not.toContain("canary");
    });

    test("says how to install what assistants and their tools need", async () => {
      const server = "server: {mcp: {enabled: true}}\nruns: {keep: waiting}\n";
      const tools = "mcp: {servers: {crm: {command: node, args: [crm.mjs]}}}\n";
      writeFileSync(join(demo, "mcp.yaml"), server + tools);
      writeFileSync(join(demo, "call.csv"), CALL);
      const of = (name: string): string => `the package @modelcontextprotocol/${name} must be installed`;
      const lines = [
        [`echo | ${FLOWSHEET} mcp`, 2, of("server")],
        [`${FLOWSHEET} serve --config mcp.yaml --port 0`, 2, of("server")],
        [`${FLOWSHEET} types --mcp --config mcp.yaml`, 1, of("client")],
        [`${FLOWSHEET} run call.csv --config mcp.yaml`, 1, of("client")],
      ] as const;
      for (const [line, code, words] of lines) {
        const { stdout } = await run(`(${line}) 2>&1 || echo "code $?"`);
        expect(stdout).toContain(words);
        expect(stdout).toMatch(new RegExp(`code ${code}$`, "m"));
        expect(stdout).not.toMatch(/^\s+at /m);
      }
    });

    test("serves the workflow to who has the key", async () => {
      const { stdout } = await run("node_modules/.bin/flowsheet auth init --json");
      const { keys } = JSON.parse(stdout) as { keys: readonly { name: string; key: string }[] };
      const key = keys.find((one) => one.name === "executor")?.key ?? "";
      const port = await freePort();
      const server = await serve(port, demo, bin);
      try {
        const call = (headers: { readonly [name: string]: string }) =>
          fetch(`http://127.0.0.1:${port}/execute`, {
            method: "POST",
            headers: { ...JSON_TYPE, ...headers },
            body: BODY,
          });
        expect((await call({})).status).toBe(401);
        const answer = await call({ "X-API-Key": key });
        expect([answer.status, await answer.json()]).toMatchObject([
          200,
          { status: "completed", state: { greeting: "Hello Ada, welcome to Flowsheet!" } },
        ]);
        const page = await fetch(`http://127.0.0.1:${port}/docs`);
        expect(await page.text()).toContain("swagger-ui-bundle.js");
      } finally {
        stop(server);
      }
    });
  });
}

/** Printed by `init`. It is there until it is stopped. */
const STUDIO = "npx flowsheet studio";
const PROGRAM = `import { Flowsheet } from "flowsheet";
import { hello } from "./generated/hello.gen.js";

export const flowsheet: Flowsheet = new Flowsheet();
const result = await hello.run({ name: "ada lovelace" });
if (result.status === "completed") console.log(result.state.greeting satisfies string);

// @ts-expect-error the name is a text
export const wrongInput = () => hello.run({ name: 7 });
// @ts-expect-error there is no such node
export const wrongNode = () => hello.run({}, { nodes: { Nobody: () => "x" } });
`;

const PLAIN = { module: "nodenext", strict: true, outDir: "out" };

const JSON_TYPE = { "Content-Type": "application/json" };
const BODY = JSON.stringify({ graph_name: "Hello", initial_state: { name: "ada" } });

/** The bytes of all files below a folder. */
/** The SQLite of Node before 22.13, an optional dependency of 9 to 19 MB, and what it needs. */
const SQLITE = ["@libsql", "@neon-rs", "detect-libc", "libsql"];

export const packagesIn = (folder: string): readonly string[] =>
  readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith(".") && !SQLITE.includes(name));

/** The megabytes of all packages without SQLite. */
export const packagesSize = (folder: string): number =>
  packagesIn(folder).reduce((sum, name) => sum + sizeOf(join(folder, "node_modules", name)), 0) / 1e6;

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? sizeOf(path) : lstatSync(path).size);
  }, 0);
}

/** Starts the server as it is typed, and waits until it listens. */
function serve(port: number, cwd: string, bin: string): Promise<ChildProcess> {
  const line = `node_modules/.bin/flowsheet-server --port ${port}`;
  const child = spawn("sh", ["-c", line], {
    cwd,
    env: environment(bin),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  return new Promise((done, fail) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      if (said.includes("listens on")) done(child);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("close", () => fail(new Error(`${line}\n${said}`)));
  });
}

/** Ends the server and the shell that started it. */
function stop({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, "SIGTERM");
}
