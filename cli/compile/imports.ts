import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { AgentImport } from "../../compiler/3-emit/scope.js";
import { customType } from "../../compiler/agent-name.js";
import type { NodeIR } from "../../compiler/ir.js";
import { attempt } from "../../compiler/output/output-error.js";
import { isPlainFile, plainFiles } from "../../compiler/type-check/plain-files.js";
import { compilerApi } from "../../compiler/typescript.js";
import { findAgents } from "../../runtime/agents/custom/find.js";
import { once, oncePerKey } from "../../runtime/lazy.js";
import { takenBy } from "./agent-files.js";

/** Imports of the project's own agents, as a module writes them. */
export function createAgentImports(
  out: string,
  folder: string,
): (node: Pick<NodeIR, "agent">) => AgentImport {
  const takes = oncePerKey(takenBy);
  const custom = once(() => new Map(findAgents(folder).map((found) => [found.type, found])));
  const extension = once(() => importExtension(out));
  return ({ agent }) => {
    const found = custom().get(customType(agent.written));
    if (found === undefined)
      throw new Error(`agent ${agent.written} has passed the checks, but is not there`);
    const way = relative(out, found.file).replaceAll("\\", "/");
    const named = extension() === ".ts" ? way : way.replace(/\.(m?)ts$/, ".$1js");
    return {
      from: named.startsWith(".") ? named : `./${named}`,
      name: found.export,
      takes: () => takes(found),
    };
  };
}

/** The extension of imports: `.ts` only when tsconfig.json allows it. */
export function importExtension(folder: string): ".js" | ".ts" {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, "tsconfig.json");
    if (isPlainFile(file)) return allowsTypeScript(file) ? ".ts" : ".js";
    if (dirname(at) === at) return ".js";
  }
}

/**
 * TypeScript reads the file, since a configuration may extend others. It is already loaded to print modules.
 * Errors in the file are ignored here: `tsc` reports them.
 */
function allowsTypeScript(file: string): boolean {
  const ts = compilerApi();
  const text = attempt("read", file, () => readFileSync(file, "utf8"));
  const { config } = ts.parseConfigFileTextToJson(file, text);
  // Without files and include, TypeScript does not search the folder.
  const wanted = { ...config, files: [], include: [] };
  const files = plainFiles(ts.sys);
  const { options } = ts.parseJsonConfigFileContent(wanted, files, dirname(file), undefined, file);
  return options.allowImportingTsExtensions === true || options.rewriteRelativeImportExtensions === true;
}

/** An import of the whole package that is still there at run time. */
const OF_WHOLE = /^\s*(?:import|export)\s+(?!type\b)[^;'"]*["']flowsheet(?:\/\w+)?["']/m;

/** The files of the project's agents that import the whole package. */
export function importersOfWhole(folder: string): readonly string[] {
  const files = new Set(findAgents(folder).map(({ file }) => file));
  return [...files].filter((file) => OF_WHOLE.test(attempt("read", file, () => readFileSync(file, "utf8"))));
}
