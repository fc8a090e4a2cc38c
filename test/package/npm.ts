import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { afterAll, inject } from "vitest";

/** How an installation is asked for in these tests: what a cache holds is not fetched again. */
export const QUIET = "--prefer-offline --no-audit --no-fund --fetch-retries=1 --fetch-retry-mintimeout=1000";

/** What npm calls it when nobody answers. */
const UNREACHABLE = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|E?TIMEDOUT)\b/;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder that belongs to no checkout, and goes away with the tests of a file. */
export function outside(): string {
  const folder = mkdtempSync(join(tmpdir(), "flowsheet-package-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The caller's environment without what npm and vitest put into it; `bin` holds the Node to use. */
export function environment(bin: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_(?!config_registry)|node_|vitest|init_cwd|test$|dev$|prod$|mode$)/i.test(name),
  );
  return { ...Object.fromEntries(own), PATH: [bin, process.env["PATH"]].join(delimiter), NO_COLOR: "1" };
}

/** Types a line in a shell. */
export function type(line: string, cwd: string, bin: string): Promise<Ended> {
  const child = spawn("sh", ["-c", line], { cwd, env: environment(bin), stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) =>
      done({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }),
    );
  });
}

/** Types a line that must work. */
export async function typeWell(line: string, cwd: string, bin: string): Promise<Ended> {
  const ended = await type(line, cwd, bin);
  if (ended.code !== 0) throw new Error(`${line}: exit ${ended.code}\n${ended.stdout}${ended.stderr}`);
  return ended;
}

/** Why the packages of an installation could not be fetched; null when they are there. Other failures are thrown. */
export async function install(what: string, cwd: string, bin: string): Promise<string | null> {
  const line = `npm install ${what} ${QUIET}`;
  const { code, stdout, stderr } = await type(line, cwd, bin);
  if (code === 0) return null;
  const why = UNREACHABLE.exec(stderr)?.[0];
  if (why === undefined) throw new Error(`${line}: exit ${code}\n${stdout}${stderr}`);
  return `the package registry cannot be reached (${why})`;
}

/** The folder of the Node that runs this test. */
export const thisNode = (): string => dirname(process.execPath);

/**
 * Packs a package as it was built, once for all tests of a run. Packing builds as a rule, but other tests use dist/ at
 * this moment.
 */
export async function pack(which = "."): Promise<string> {
  const file = join(inject("packed"), `${basename(resolve(which))}.tgz`);
  if (existsSync(file)) return file;
  const folder = outside();
  await typeWell(`npm pack --ignore-scripts --pack-destination ${folder}`, resolve(which), thisNode());
  const [name] = readdirSync(folder);
  if (name === undefined) throw new Error("npm pack made no file");
  renameSync(join(folder, name), file);
  return file;
}

const NODE_24 = "24.9.0";

/** Node 24, from the package registry, or why it cannot be had. */
export async function node24(): Promise<{ readonly bin: string } | { readonly lacks: string }> {
  const folder = outside();
  writeFileSync(join(folder, "package.json"), '{ "private": true, "allowScripts": { "node": true } }\n');
  const lacks = await install(`node@${NODE_24}`, folder, thisNode());
  return lacks === null ? { bin: join(folder, "node_modules/node/bin") } : { lacks };
}
