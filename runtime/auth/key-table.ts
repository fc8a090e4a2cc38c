import { timingSafeEqual } from "node:crypto";
import { digestOf } from "./keys.js";
import type { KeyEntry } from "./plan/plan.js";

/** Finds the entry of a key; null for a key that is not known. */
export type FindKey = (key: string) => KeyEntry | null;

/**
 * Keys are found by their digest: how long that takes tells nothing of a key, since what is compared is spread by
 * the hash. The comparison that decides is constant-time, and made for unknown keys, too.
 */
export function createKeyTable(entries: readonly KeyEntry[]): FindKey {
  const table = new Map(entries.map((entry) => [entry.digest.toString("hex"), entry]));
  const nobody = Buffer.alloc(32);
  return (key) => {
    const digest = digestOf(key);
    const entry = table.get(digest.toString("hex"));
    const equal = timingSafeEqual(digest, entry?.digest ?? nobody);
    return entry !== undefined && equal ? entry : null;
  };
}
