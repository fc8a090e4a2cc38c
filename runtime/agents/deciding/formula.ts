import type { AgentContext, Formula, Json, Outcome } from "../../graph/contract/contract.js";
import { AgentError } from "../../graph/contract/errors.js";
import { LONGEST_TEXT } from "../../graph/formula/refuse.js";
import { ours, pure } from "../../graph/link/marks.js";
import { storageOf } from "../data/storage-of.js";

/** Gives the value of the node's formula. */
export const formula = /* @__PURE__ */ pure(
  /* @__PURE__ */ ours(function formula<R = unknown>(_inputs: object, context: AgentContext): Outcome<R> {
    if (context.formula === undefined) throw new AgentError("agent_failed", "the node has no formula");
    return computed(context.formula, context, (value) => checked(value) as R);
  }),
);

/** What becomes of the value of a formula: at once, unless tables must be read first. */
export function computed<T>(
  { tables, compute }: Formula,
  context: AgentContext,
  use: (value: unknown) => T,
): T | Promise<T> {
  if (tables.length === 0) return use(compute({}));
  return readTables(tables, context).then((read) => use(compute(read)));
}

/** The tables as they are now. */
async function readTables(
  tables: readonly string[],
  context: AgentContext,
): Promise<{ readonly [file: string]: Json }> {
  const storage = await storageOf(context);
  const { signal } = context;
  const read = tables.map(
    async (file) => [file, await storage.read({ format: "csv", file, signal })] as const,
  );
  return Object.fromEntries(await Promise.all(read));
}

function checked(value: unknown): unknown {
  if (value === undefined) throw new AgentError("agent_failed", "the formula gives no value");
  if (typeof value === "number" && !Number.isFinite(value))
    throw new AgentError("agent_failed", "the formula gives no number");
  if (typeof value === "string" && value.length > LONGEST_TEXT)
    throw new AgentError("agent_failed", "the formula gives a text of more than 1 MB");
  return value;
}
