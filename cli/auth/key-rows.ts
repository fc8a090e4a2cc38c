import { digestOf, maskedKey, parseStored } from "../../runtime/auth/keys.js";
import type { AuthPlan, KeyEntry } from "../../runtime/auth/plan/plan.js";
import { isReference, readReference } from "../../runtime/config/environment.js";
import { isMapping } from "../../runtime/graph/values/values.js";
import type { Environment } from "../process/context.js";

export interface KeyRow {
  readonly name: string;
  readonly kept: "digest" | "variable" | "plain" | "nowhere";
  /** Null where only a digest is known. */
  readonly value: string | null;
  /** `fsk_… 1a2b3c4d`; null when neither key nor digest is known. */
  readonly masked: string | null;
  readonly permissions: readonly string[];
  readonly userId: string | null;
  readonly roles: readonly string[];
  /** What it is limited to; null without a limit. */
  readonly graphs: readonly string[] | null;
  readonly expiresAt: string | null;
  readonly inForce: boolean;
}

type Mapping = { readonly [name: string]: unknown };

/** The keys of `authentication.api_keys`, valid or not, and those of the environment. */
export function keyRows(
  entries: unknown,
  plan: AuthPlan | null,
  env: Environment,
  now: number,
): readonly KeyRow[] {
  const alive = new Map((plan?.keys ?? []).map((key) => [`${key.source} ${key.name}`, key]));
  const inFile = Object.entries(isMapping(entries) ? entries : {}).map(([name, entry]) =>
    rowOf(name, isMapping(entry) ? entry : {}, env, now, alive.get(`file ${name}`)),
  );
  const inEnvironment = (plan?.keys ?? []).filter(({ source }) => source === "environment");
  return [...inFile, ...inEnvironment.map((key) => environmentRow(key, env))];
}

function rowOf(
  name: string,
  entry: Mapping,
  env: Environment,
  now: number,
  live: KeyEntry | undefined,
): KeyRow {
  const { permissions, user_id: userId, roles, graphs, expires_at: expiresAt } = entry;
  return {
    name,
    ...keptIn(entry["key"], env),
    permissions: Array.isArray(permissions) ? permissions.map(String) : [],
    userId: typeof userId === "string" ? userId : null,
    roles: Array.isArray(roles) ? roles.map(String) : [],
    graphs: Array.isArray(graphs) ? graphs.map(String) : null,
    expiresAt: typeof expiresAt === "string" ? expiresAt : null,
    inForce: live !== undefined && (live.expiresAt === null || now < live.expiresAt),
  };
}

function keptIn(stored: unknown, env: Environment): Pick<KeyRow, "kept" | "value" | "masked"> {
  if (typeof stored !== "string" || stored === "") return { kept: "nowhere", value: null, masked: null };
  const digest = parseStored(stored);
  if (digest !== null) return { kept: "digest", value: null, masked: maskedKey(digest) };
  if (!isReference(stored)) return { kept: "plain", value: stored, masked: maskedKey(digestOf(stored)) };
  const reference = readReference(stored, env);
  const value = reference?.kind === "value" ? reference.value : null;
  return { kept: "variable", value, masked: value === null ? null : maskedKey(digestOf(value)) };
}

function environmentRow({ name, digest, permissions, userId }: KeyEntry, env: Environment): KeyRow {
  return {
    name,
    kept: "variable",
    value: env[name] ?? null,
    masked: maskedKey(digest),
    permissions: [...permissions],
    userId,
    roles: [],
    graphs: null,
    expiresAt: null,
    inForce: true,
  };
}
