import { ts } from "ts-morph";
import { editCell, locate } from "../1-parse/index.js";
import type { Problems } from "../diagnostics/collect.js";
import type { FieldType, GraphIR, NodeIR, ReadIR } from "../ir.js";
import { formatType } from "../types/format-type.js";
import type { ModuleShape } from "./module-shape.js";
import type { GraphOfSheet } from "./tell.js";

/** An input of which only the agent's code says that it is no text, and the type that the sheet can name for it. */
export interface UntypedInput {
  readonly node: NodeIR;
  readonly read: ReadIR;
  readonly type: FieldType;
}

/** What only the caller gives comes as text from a command line, unless the sheet names its type. */
export function findUntypedInputs(
  { nodes, fields }: GraphIR,
  { entries }: ModuleShape,
  checker: ts.TypeChecker,
): readonly UntypedInput[] {
  const open = new Set(
    fields.flatMap(({ name, input, writers, checks }) =>
      input !== null && writers.length === 0 && checks.length === 0 ? [name] : [],
    ),
  );
  const told = new Set<string>();
  return nodes.flatMap((node) => {
    const entry = entries.get(node.name);
    const reads = node.reads.filter(({ field, path }) => open.has(field) && path.length === 0);
    if (node.agent.builtin || entry === undefined || reads.length === 0) return [];
    const takes = takenBy(entry, checker);
    return reads.flatMap((read): readonly UntypedInput[] => {
      const symbol = takes?.getProperty(read.param);
      const type = symbol === undefined ? null : sheetType(checker.getTypeOfSymbol(symbol), checker);
      if (type === null || told.has(read.field)) return [];
      told.add(read.field);
      return [{ node, read, type }];
    });
  });
}

/** The inputs that the agent of a node declares. */
function takenBy(entry: ts.PropertyAssignment, checker: ts.TypeChecker): ts.Type | undefined {
  const agent = ts.isCallExpression(entry.initializer) ? entry.initializer.arguments[0] : undefined;
  if (agent === undefined) return undefined;
  const made = checker.getTypeAtLocation(agent);
  const [construct] = made.getConstructSignatures();
  const process = construct?.getReturnType().getProperty("process");
  const called = process === undefined ? made : checker.getTypeOfSymbol(process);
  const [inputs] = called.getCallSignatures()[0]?.getParameters() ?? [];
  return inputs === undefined ? undefined : checker.getTypeOfSymbol(inputs);
}

/** The type as a sheet names it; null for text, which everything given can be, and for what a sheet cannot name. */
function sheetType(declared: ts.Type, checker: ts.TypeChecker): FieldType | null {
  const type = checker.getNonNullableType(declared);
  const is = (flags: ts.TypeFlags): boolean => (type.flags & flags) !== 0;
  if (is(ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return null;
  if (is(ts.TypeFlags.Number)) return { kind: "number" };
  if (is(ts.TypeFlags.Boolean)) return { kind: "boolean" };
  if (type.isUnion() && type.types.every((one) => one.isStringLiteral()))
    return { kind: "choice", values: type.types.map((one) => (one as ts.StringLiteralType).value) };
  if (checker.isArrayLikeType(type)) return listType(type, checker);
  const isMapping = is(ts.TypeFlags.Object) && type.getCallSignatures().length === 0;
  // `unknown` without null is `{}`, which is anything.
  const isAnything = type.getProperties().length === 0 && type.getStringIndexType() === undefined;
  return isMapping && !isAnything && type.symbol?.name !== "Date" ? { kind: "object" } : null;
}

function listType(type: ts.Type, checker: ts.TypeChecker): FieldType {
  const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  if (item === undefined) return { kind: "list" };
  if ((item.flags & ts.TypeFlags.String) !== 0) return { kind: "list-of", item: "string" };
  const of = sheetType(item, checker);
  const isPlain = of?.kind === "number" || of?.kind === "boolean" || of?.kind === "object";
  return isPlain ? { kind: "list-of", item: of.kind } : { kind: "list" };
}

/** Proposes to write the type into the cell. */
export function tellUntypedInput(
  { node, read, type }: UntypedInput,
  { graph, sheet }: GraphOfSheet,
  problems: Problems,
): void {
  const { param, field } = read;
  const item = sheet.rows[node.index]?.inputs.find((one) => one.param === param && one.field === field);
  if (item === undefined) return;
  const written = formatType(type);
  const end = { ...item.at, start: item.at.end };
  problems.report(
    "untyped-input",
    { field, agent: node.agent.written, type: written },
    {
      place: locate(sheet, item.at),
      graph: graph.name,
      node: node.name,
      column: "input_fields",
      fix: {
        title: `write ":${written}" behind "${field}"`,
        safe: true,
        edits: [editCell(sheet, end, `:${written}`)],
      },
    },
  );
}
