import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Position } from "../../../compiler/diagnostics/lines.js";
import type { AnyAgent } from "../../graph/contract/contract.js";
import { FlowsheetError, messageOf } from "../../graph/contract/errors.js";
import { customType } from "../registry.js";
import type { Bundle } from "./bundle.js";
import { shortHash, usableCache } from "./cache-folder.js";
import { constructorNeeds } from "./constructor-needs.js";
import { type FoundAgent, findAgents } from "./find.js";

export interface LoadedAgent {
  readonly type: string;
  readonly agent: AnyAgent;
  readonly file: string;
  readonly export: string;
}

export interface LoadOptions {
  readonly folder: string;
  /** The needed types, as sheets write them. Only their files are run. */
  readonly types: Iterable<string>;
  readonly cache: string;
  /** Modules of this package that agents may import. Agents get the instances of the running process. */
  readonly modules: Bundle["modules"];
}

export class AgentLoadError extends FlowsheetError {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  constructor(file: string, message: string, place: Position | null = null) {
    const at = place === null ? file : `${file}:${place.line}:${place.column}`;
    super("agent_unusable", `${at}: ${message}`);
    this.file = file;
    this.line = place?.line ?? null;
    this.column = place?.column ?? null;
  }
}

export async function loadAgents(options: LoadOptions): Promise<readonly LoadedAgent[]> {
  const wanted = new Set([...options.types].map(customType));
  const found = findAgents(options.folder).filter(({ type }) => wanted.has(type));
  checkNames(found);
  const files = new Map<string, Promise<object>>();
  const load = (file: string): Promise<object> => {
    const module = files.get(file) ?? loadModule(file, options);
    files.set(file, module);
    return module;
  };
  return Promise.all(found.map(async (one) => ({ ...one, agent: agentIn(await load(one.file), one) })));
}

function checkNames(found: readonly FoundAgent[]): void {
  const files = new Map<string, FoundAgent>();
  for (const one of found) {
    const other = files.get(one.type);
    if (other !== undefined) {
      const message = `the agent "${one.type}" is also written in ${other.file}; rename one of them`;
      throw new AgentLoadError(one.file, message);
    }
    files.set(one.type, one);
  }
}

function agentIn(module: object, { file, export: name }: FoundAgent): AnyAgent {
  const value: unknown = (module as { readonly [name: string]: unknown })[name];
  if (value === undefined) throw new AgentLoadError(file, `it exports no "${name}"`);
  if (typeof value !== "function")
    throw new AgentLoadError(file, `"${name}" is no agent: it is neither a class nor a function`);
  const isClass = /^class\b/.test(Function.prototype.toString.call(value));
  const { prototype } = value as { readonly prototype?: { readonly process?: unknown } };
  const cure = "write it as one, process(inputs, context) { … }";
  if (isClass && typeof prototype?.process !== "function")
    throw new AgentLoadError(file, `the class "${name}" has no method "process": ${cure}`);
  if (isClass && value.length > 0) checkConstructor(file, value.name);
  return value as AnyAgent;
}

/** `length` also counts parameters that are optional in TypeScript, so the text decides. */
function checkConstructor(file: string, name: string): void {
  const needs = constructorNeeds(readFileSync(file, "utf8"), name);
  if (needs.length === 0) return;
  const cure = "take it from context.services, or make it in the module";
  throw new AgentLoadError(
    file,
    `the class "${name}" needs constructor arguments (${needs.join(", ")}), and agents are made without any; ${cure}`,
  );
}

async function loadModule(file: string, { cache, modules }: LoadOptions): Promise<object> {
  if (!/\.m?ts$/.test(file) && isModule(file)) {
    try {
      return (await import(pathToFileURL(file).href)) as object;
    } catch (thrown) {
      // An agent outside of any package can import this one only through its bundle.
      if (!/Cannot find package 'flowsheet(-runtime)?'/.test(messageOf(thrown)))
        throw await describe(file, thrown);
    }
  }
  const out = join(usableCache(cache), cacheName(file));
  // Loaded only when needed: it takes longer to load than a run of built-in agents.
  const { bundleAgent } = await import("./bundle.js");
  const refuse = (message: string, place: Position | null): Error => new AgentLoadError(file, message, place);
  const url = await bundleAgent({ file, out, modules }, refuse);
  try {
    return (await import(url)) as object;
  } catch (thrown) {
    throw await describe(file, thrown);
  }
}

/** Node takes a `.js` file for CommonJS, or warns, unless its package declares ES modules. */
function isModule(file: string): boolean {
  if (!file.endsWith(".js")) return true;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const type = packageType(join(folder, "package.json"));
    if (type !== undefined || dirname(folder) === folder) return type === "module";
  }
}

/** The type in a package.json: null without one, undefined without the file. */
function packageType(file: string): unknown {
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as { readonly type?: unknown }).type ?? null;
  } catch {
    return undefined;
  }
}

/** The name of a file's bundle. The hash separates files of one name. */
const cacheName = (file: string): string => `${basename(file).replace(/\W+/g, "-")}-${shortHash(file)}.mjs`;

async function describe(file: string, thrown: unknown): Promise<AgentLoadError> {
  // Node's own error has no place.
  const fault = /\.m?js$/.test(file) ? await (await import("./bundle.js")).faultIn(file) : null;
  if (fault !== null) return new AgentLoadError(file, fault.message, fault.place);
  return new AgentLoadError(file, `it cannot be loaded: ${messageOf(thrown)}`);
}
