import { ts } from "ts-morph";
import type { TakenType } from "../2-analyze/fields/untyped-inputs.js";
import type { FieldType, NodeIR } from "../ir.js";
import { BOOLEAN, LIST, listOf, NUMBER, OBJECT, STRING } from "../types/field-type.js";

/** The declared type of an agent's input, as a type of a sheet. */
export const takenType =
  (agentOf: (node: NodeIR) => ts.Type | undefined, checker: ts.TypeChecker): TakenType =>
  (node, param) => {
    const agent = agentOf(node);
    const symbol = agent && takenBy(agent, checker)?.getProperty(param);
    const declared = symbol && checker.getTypeOfSymbol(symbol);
    return declared === undefined || isAnything(declared) ? undefined : sheetType(declared, checker);
  };

function takenBy(made: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  const [construct] = made.getConstructSignatures();
  const process = (construct?.getReturnType() ?? made).getProperty("process");
  const called = process === undefined ? made : checker.getTypeOfSymbol(process);
  const [inputs] = called.getCallSignatures()[0]?.getParameters() ?? [];
  return inputs === undefined ? undefined : checker.getTypeOfSymbol(inputs);
}

const isAnything = ({ flags }: ts.Type): boolean => (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0;

/** Null for text, which every given value can be, and for types without a name in sheets. */
function sheetType(declared: ts.Type, checker: ts.TypeChecker): FieldType | null {
  // An annotation would refuse null.
  const takesNull =
    declared.isUnion() && declared.types.some(({ flags }) => (flags & ts.TypeFlags.Null) !== 0);
  if (isAnything(declared) || takesNull) return null;
  const type = checker.getNonNullableType(declared);
  const is = (flags: ts.TypeFlags): boolean => (type.flags & flags) !== 0;
  if (is(ts.TypeFlags.Number)) return NUMBER;
  if (is(ts.TypeFlags.Boolean)) return BOOLEAN;
  if (type.isUnion() && type.types.every((one) => one.isStringLiteral()))
    return { kind: "choice", values: type.types.map((one) => (one as ts.StringLiteralType).value) };
  if (checker.isArrayLikeType(type)) return listType(type, checker);
  const isMapping =
    is(ts.TypeFlags.Object) && type.getCallSignatures().length === 0 && !isEmpty(type, checker);
  // An object with toJSON, such as a Date, is not a plain mapping.
  return isMapping && type.getProperty("toJSON") === undefined ? OBJECT : null;
}

/** `{}` accepts every value except null and undefined. */
const isEmpty = (type: ts.Type, checker: ts.TypeChecker): boolean =>
  type.getProperties().length === 0 && checker.getIndexInfosOfType(type).length === 0;

function listType(type: ts.Type, checker: ts.TypeChecker): FieldType {
  const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  if (item === undefined) return LIST;
  return listOf((item.flags & ts.TypeFlags.String) !== 0 ? STRING : sheetType(item, checker));
}
