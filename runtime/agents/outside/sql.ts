import { cutStatement, givesRows, onlyReads, readStatement } from "../../../compiler/sql-statement.js";
import { isList, isOpen } from "../../../compiler/types/field-type.js";
import type { AgentContext, Json, Settings } from "../../graph/contract/contract.js";
import { AgentError } from "../../graph/contract/errors.js";
import { at } from "../../graph/values/values.js";
import type { Inputs } from "../agent.js";
import { effectKey } from "./effect-key.js";
import { serviceOf } from "./services.js";

/**
 * Asks or changes a database. Its result is the list of rows, or how many were changed. Inputs are bound as values: no
 * text of theirs is ever a part of the statement.
 */
export async function sql<R = unknown>(inputs: object, context: AgentContext): Promise<R> {
  const { connection, max_rows: maxRows, once } = context.settings;
  if (typeof connection !== "string")
    throw failure('nobody knows which database: the setting "connection" names it');
  const parts = cutStatement(String(context.settings["statement"] ?? ""));
  const read = readStatement(parts);
  if (read.fault !== null) throw failure(`the statement ${read.fault.why}`);
  const texts = parts.filter((part) => typeof part === "string");
  const paths = parts.filter((part) => typeof part !== "string");
  const service = await serviceOf(context, "sql");
  const result = await service.run({
    connection,
    texts,
    values: paths.map((path) => inputAt(inputs as Inputs, path)),
    givesRows: givesRows(read),
    readOnly: isReading(context.settings),
    key: once === true ? effectKey(context) : undefined,
    maxRows: typeof maxRows === "number" ? maxRows : undefined,
    signal: context.signal,
  });
  return resultOf(result, context.outputs) as R;
}

const failure = (message: string): AgentError => new AgentError("agent_failed", message);

function inputAt(inputs: Inputs, [name = "", ...path]: readonly string[]): Json {
  if (!Object.hasOwn(inputs, name)) throw failure(`the statement names "${name}", which is no input`);
  return (at(inputs[name], ...path) ?? null) as Json;
}

/** Several outputs, and one that is neither a list nor open, take columns of the only row. */
function resultOf(result: Json, outputs: AgentContext["outputs"]): unknown {
  const [only, another] = outputs;
  if (only === undefined || !Array.isArray(result)) return result;
  if (another === undefined && (!only.type || isOpen(only.type) || isList(only.type))) return result;
  if (result.length !== 1)
    throw failure(`one row is needed for what the node writes, and there are ${result.length}`);
  return result[0];
}

/** What changes nothing runs where nothing can be changed, unless the sheet says otherwise. */
export function isReading({ read_only: readOnly, statement }: Settings): boolean {
  if (typeof readOnly === "boolean") return readOnly;
  return onlyReads(readStatement(cutStatement(String(statement ?? ""))));
}
