import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { AgentError } from "../graph/contract/errors.js";
import type { ProviderKind } from "./settings.js";

/** The packages of the AI SDK that each kind needs beside `ai`. */
export const SDK = {
  openai: "@ai-sdk/openai",
  anthropic: "@ai-sdk/anthropic",
  google: "@ai-sdk/google",
  "openai-compatible": "@ai-sdk/openai-compatible",
} as const satisfies { readonly [K in Exclude<ProviderKind, "mock">]: string };

/** The missing packages of a kind of provider. Nothing is loaded for this. */
export function missingPackages(kind: ProviderKind, root: string): readonly string[] {
  if (kind === "mock") return [];
  return ["ai", SDK[kind]].filter((name) => resolverFor(name, root) === null);
}

export const installCommand = (names: readonly string[]): string => `npm install ${names.join(" ")}`;

/** Loads both packages of a kind of provider. Throws with the command that installs missing ones. */
export async function loadSdk<K extends keyof typeof SDK>(
  kind: K,
  root: string,
): Promise<{ readonly ai: typeof import("ai"); readonly sdk: object }> {
  const missing = missingPackages(kind, root);
  if (missing.length > 0) {
    const what = `the package${missing.length === 1 ? "" : "s"} ${missing.join(" and ")}`;
    throw new AgentError("provider_failed", `${what} must be installed; run: ${installCommand(missing)}`);
  }
  // The SDK prints warnings on standard output, which belongs to our data.
  (globalThis as { AI_SDK_LOG_WARNINGS?: unknown }).AI_SDK_LOG_WARNINGS = false;
  const [ai, sdk] = await Promise.all([load("ai", root), load(SDK[kind], root)]);
  return { ai: ai as typeof import("ai"), sdk };
}

/** Packages beside this one come first, then those of the project: this one may be installed elsewhere. */
function resolverFor(name: string, root: string): NodeJS.Require | null {
  for (const from of [import.meta.url, join(root, "package.json")]) {
    const require = createRequire(from);
    try {
      require.resolve(name);
      return require;
    } catch {}
  }
  return null;
}

async function load(name: string, root: string): Promise<object> {
  const path = resolverFor(name, root)?.resolve(name) ?? name;
  return (await import(pathToFileURL(path).href)) as object;
}
