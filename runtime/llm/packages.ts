import { AgentError } from "../graph/contract/errors.js";
import { loadPackage, missingPackages, missingText } from "../optional-packages.js";
import type { ProviderKind } from "./settings.js";

/** The packages of the AI SDK that each kind needs beside `ai`. */
export const SDK = {
  openai: "@ai-sdk/openai",
  anthropic: "@ai-sdk/anthropic",
  google: "@ai-sdk/google",
  "openai-compatible": "@ai-sdk/openai-compatible",
} as const satisfies { readonly [K in Exclude<ProviderKind, "mock">]: string };

/** The missing packages of a kind of provider. Nothing is loaded for this. */
export const missingSdk = (kind: ProviderKind, root: string): readonly string[] =>
  kind === "mock" ? [] : missingPackages(["ai", SDK[kind]], root);

/** Loads both packages of a kind of provider. Throws with the command that installs missing ones. */
export async function loadSdk<K extends keyof typeof SDK>(
  kind: K,
  root: string,
): Promise<{ readonly ai: typeof import("ai"); readonly sdk: object }> {
  const missing = missingSdk(kind, root);
  if (missing.length > 0) throw new AgentError("provider_failed", missingText(missing));
  // The SDK prints warnings on standard output, which belongs to our data.
  (globalThis as { AI_SDK_LOG_WARNINGS?: unknown }).AI_SDK_LOG_WARNINGS = false;
  const [ai, sdk] = await Promise.all([loadPackage("ai", root), loadPackage(SDK[kind], root)]);
  return { ai: ai as typeof import("ai"), sdk };
}
