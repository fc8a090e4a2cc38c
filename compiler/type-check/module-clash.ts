import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
import { foldersUpwards } from "./plain-files.js";

/** Why a project's module settings exclude every generated module. */
export interface ModuleClash {
  readonly says: string;
  readonly cure: string;
}

/**
 * Checks module settings once, in place of one error for each import. The project's TypeScript version may differ from
 * ours, and its defaults too.
 */
export function moduleClash(options: ts.CompilerOptions, root: string): ModuleClash | null {
  const typescript = versionAt(root, "typescript");
  if (!findsEntries(options, typescript))
    return {
      says: `this project looks for packages in a way that does not find "flowsheet/graph": ${resolutionOf(options)}`,
      cure: 'set "module": "nodenext" in tsconfig.json, or "moduleResolution": "bundler" where a bundler makes the program',
    };
  const isModule = nearest(root, "package.json")?.["type"] === "module";
  if (!NODE_KINDS.has(options.module ?? 0) || isModule) return null;
  const cure = 'set "type": "module" in package.json';
  if (options.verbatimModuleSyntax === true)
    return {
      says: 'package.json makes these files CommonJS, in which "verbatimModuleSyntax" allows no import and no export',
      cure,
    };
  if (options.module === ts.ModuleKind.NodeNext && !isBefore(typescript, [5, 8])) return null;
  if (options.module === ts.ModuleKind.Node20) return null;
  return {
    says: "package.json makes these files CommonJS, which under this setting cannot import the ES module flowsheet",
    cure: `${cure}, or "module": "nodenext" in tsconfig.json (TypeScript 5.8 or newer)`,
  };
}

const NODE_KINDS: ReadonlySet<ts.ModuleKind> = new Set([
  ts.ModuleKind.Node16,
  ts.ModuleKind.Node18,
  ts.ModuleKind.Node20,
  ts.ModuleKind.NodeNext,
]);

/** Resolution kinds that read "exports" of package.json. Before TypeScript 6 the default did not. */
function findsEntries({ module, moduleResolution }: ts.CompilerOptions, typescript: Version | null): boolean {
  if (moduleResolution !== undefined) return moduleResolution >= ts.ModuleResolutionKind.Node16;
  return NODE_KINDS.has(module ?? 0) || module === ts.ModuleKind.Preserve || !isBefore(typescript, [6, 0]);
}

function resolutionOf({ moduleResolution, module }: ts.CompilerOptions): string {
  if (moduleResolution !== undefined) return '"moduleResolution" in tsconfig.json is of an old kind';
  if (module === undefined) return 'tsconfig.json names no "module"';
  return `its TypeScript takes an old way for "module": "${ts.ModuleKind[module].toLowerCase()}"`;
}

type Version = readonly [major: number, minor: number];

const isBefore = (version: Version | null, [major, minor]: Version): boolean =>
  version !== null && (version[0] < major || (version[0] === major && version[1] < minor));

/** Null for a package that is not installed. */
function versionAt(root: string, name: string): Version | null {
  const found = nearest(root, join("node_modules", name, "package.json"))?.["version"];
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(String(found)) ?? [];
  return major === undefined ? null : [Number(major), Number(minor)];
}

/** The first file of this name upwards from a folder that holds a JSON object. */
function nearest(root: string, name: string): { readonly [key: string]: unknown } | null {
  for (const folder of foldersUpwards(root)) {
    try {
      const value: unknown = JSON.parse(readFileSync(join(folder, name), "utf8"));
      if (typeof value === "object" && value !== null) return { ...value };
    } catch {}
  }
  return null;
}
