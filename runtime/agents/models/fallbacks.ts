import type { Json } from "../../graph/contract/contract.js";

/** Each as `provider` or `provider/model`. The setting holds one, a list, or `{provider, model}`. */
export function fallbacksOf(setting: Json | undefined): readonly string[] {
  if (typeof setting === "string") return setting.trim() === "" ? [] : [setting.trim()];
  if (Array.isArray(setting)) return setting.flatMap((one: Json) => fallbacksOf(one));
  if (typeof setting !== "object" || setting === null) return [];
  const { provider, model } = setting as { readonly provider?: Json; readonly model?: Json };
  if (typeof provider !== "string") return [];
  return [typeof model === "string" ? `${provider}/${model}` : provider];
}
