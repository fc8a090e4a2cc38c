import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

export const installCommand = (names: readonly string[]): string => `npm install ${names.join(" ")}`;

/** Those that are not installed. Nothing is loaded for this. */
export const missingPackages = (names: readonly string[], root: string): readonly string[] =>
  names.filter((name) => resolverFor(name, root) === null);

/** `the package pg must be installed; run: npm install pg`. */
export function missingText(missing: readonly string[]): string {
  const what = `the package${missing.length === 1 ? "" : "s"} ${missing.join(" and ")}`;
  return `${what} must be installed; run: ${installCommand(missing)}`;
}

/** Packages beside this one come first, then those of the project: this one may be installed elsewhere. */
function resolverFor(name: string, root: string): NodeJS.Require | null {
  for (const from of [import.meta.url, resolve(root, "package.json")]) {
    const require = createRequire(from);
    try {
      require.resolve(name);
      return require;
    } catch {}
  }
  return null;
}

/** The same at once, for packages of CommonJS; null without it. */
export const requirePackage = (name: string, root: string): unknown =>
  resolverFor(name, root)?.(name) ?? null;

/** Loads a package that need not be installed. */
export async function loadPackage(name: string, root: string): Promise<object> {
  const path = resolverFor(name, root)?.resolve(name) ?? name;
  return (await import(pathToFileURL(path).href)) as object;
}
