import { ts } from "ts-morph";
import type { NodeIR, ReadIR, WriteIR } from "../ir.js";
import { isObject } from "../types/field-type.js";
import { inputsOf, type ModuleShape } from "./module-shape.js";

/** The types are text as TypeScript prints it. */
export type Misfit =
  | {
      readonly kind: "read";
      readonly read: ReadIR;
      /** It fits except that it may be undefined. */
      readonly unset: boolean;
      /** The input is optional but must not be undefined, which only exactOptionalPropertyTypes distinguishes. */
      readonly exact: boolean;
      readonly is: string;
      readonly takes: string;
    }
  | { readonly kind: "missing-input"; readonly input: string; readonly takes: string }
  | { readonly kind: "missing-key"; readonly write: WriteIR; readonly gives: string }
  | { readonly kind: "write"; readonly write: WriteIR; readonly declared: string; readonly gives: string };

export interface NodeTypes {
  readonly checker: ts.TypeChecker;
  readonly shape: ModuleShape;
  readonly probe: ts.SourceFile;
}

/** The text of a probe module: type aliases that make TypeScript compute the types of agents. */
export function probeText(
  { module, graphTypes }: { readonly module: string; readonly graphTypes: string },
  { state, nodes, states }: ModuleShape,
  names: readonly string[],
): string {
  const lines = names.flatMap((name, i) => {
    const agent = `${nodes}[${JSON.stringify(name)}]["agent"]`;
    return [
      `export type Takes${i} = InputsOf<${agent}>;`,
      `export type Gives${i} = ResultOf<${agent}>;`,
      `export type Holds${i} = Required<${states.get(name) ?? state}>;`,
    ];
  });
  return [
    `import type { Branch, InputsOf, ResultOf } from ${JSON.stringify(graphTypes)};`,
    `import type { ${nodes}, ${state} } from ${JSON.stringify(module)};`,
    ...lines,
    "",
  ].join("\n");
}

/** `index` is the node's number in the probe. */
export function findMisfits(
  node: NodeIR,
  { index, says }: { readonly index: number; readonly says: string },
  types: NodeTypes,
): readonly Misfit[] {
  const alias = (name: string): ts.Type | null => aliasOf(types, `${name}${index}`);
  const gives = alias("Gives");
  const writes = gives === null ? [] : refusedWrites(node, says, { ...types, gives, holds: alias("Holds") });
  return [...findReads(node, alias("Takes"), types), ...writes];
}

interface WriteTypes extends NodeTypes {
  readonly gives: ts.Type;
  readonly holds: ts.Type | null;
}

type WriteMisfit = Extract<Misfit, { readonly kind: "write" | "missing-key" }>;

/** The error type of the runtime is the only text that names the refused field. */
const REFUSED = /"([^":]+): the agent's result does not fit this field"/g;

function refusedWrites({ writes }: NodeIR, says: string, types: WriteTypes): readonly WriteMisfit[] {
  const found = writes.flatMap((write) => writeMisfit(write, types) ?? []);
  const refused = new Set([...says.matchAll(REFUSED)].map(([, field = ""]) => field));
  // TypeScript truncates long messages, so they may not name every field.
  if (refused.size === 0 || (says.includes("...") && found.length > 0)) return found;
  const named = found.filter((misfit) => refused.has(misfit.write.field));
  if (named.length > 0) return named;
  return writes.filter(({ field }) => refused.has(field)).map((write) => misfitOf(write, types.gives, types));
}

function aliasOf({ checker, probe }: NodeTypes, name: string): ts.Type | null {
  const alias = probe.statements.filter(ts.isTypeAliasDeclaration).find((one) => one.name.text === name);
  const type = alias === undefined ? null : checker.getTypeFromTypeNode(alias.type);
  return type === null || (type.flags & UNKNOWN) !== 0 ? null : type;
}

const UNKNOWN = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never;
const TEXT = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;
/** These aliases exist only in modules, so messages show their expansion. */
const OF_MODULES: ReadonlySet<string> = new Set(["Output", "Input", "Written", "Item"]);

function textOf(checker: ts.TypeChecker, type: ts.Type): string {
  const isOfModules = OF_MODULES.has(type.aliasSymbol?.name ?? "");
  return checker.typeToString(type, undefined, isOfModules ? TEXT | ts.TypeFormatFlags.InTypeAlias : TEXT);
}

function findReads(node: NodeIR, takes: ts.Type | null, types: NodeTypes): readonly Misfit[] {
  if (takes === null) return [];
  const { checker, shape, probe } = types;
  const entry = shape.entries.get(node.name);
  const given = entry === undefined ? new Map<string, ts.Node>() : inputsOf(entry);
  return checker.getPropertiesOfType(takes).flatMap((wanted): readonly Misfit[] => {
    const type = checker.getTypeOfSymbolAtLocation(wanted, probe);
    const isOptional = (wanted.flags & ts.SymbolFlags.Optional) !== 0;
    const shown = isOptional ? checker.getNonNullableType(type) : type;
    const takesText = textOf(checker, shown);
    const read = node.reads.find(({ param }) => param === wanted.name);
    if (read === undefined) {
      return isOptional || given.has(wanted.name)
        ? []
        : [{ kind: "missing-input", input: wanted.name, takes: takesText }];
    }
    const expression = given.get(read.param);
    const is = expression === undefined ? null : typeAt(checker, expression);
    if (is === null || checker.isTypeAssignableTo(is, type)) return [];
    const unset = fitsWhenSet(checker, is, type);
    const isText = textOf(checker, is).replace(/ \| undefined$/, "");
    return [{ kind: "read", read, unset, exact: unset && isOptional, is: isText, takes: takesText }];
  });
}

/** True when undefined alone makes it unassignable; null is another matter. */
function fitsWhenSet(checker: ts.TypeChecker, is: ts.Type, wanted: ts.Type): boolean {
  const members = is.isUnion() ? is.types : [is];
  const set = members.filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0);
  return set.length < members.length && set.every((one) => checker.isTypeAssignableTo(one, wanted));
}

function typeAt(checker: ts.TypeChecker, expression: ts.Node): ts.Type | null {
  if (!ts.isShorthandPropertyAssignment(expression)) return checker.getTypeAtLocation(expression);
  const symbol = checker.getShorthandAssignmentValueSymbol(expression);
  return symbol === undefined ? null : checker.getTypeOfSymbolAtLocation(symbol, expression);
}

function writeMisfit(write: WriteIR, types: WriteTypes): WriteMisfit | null {
  const declared = declaredOf(write, types);
  const given = entryOf(write, types);
  const fits = declared === null || (given !== null && types.checker.isTypeAssignableTo(given, declared));
  return fits ? null : misfitOf(write, given, types);
}

function declaredOf({ field }: WriteIR, { holds, checker, probe }: WriteTypes): ts.Type | null {
  const found = holds === null ? undefined : checker.getPropertyOfType(holds, field);
  return found === undefined ? null : checker.getTypeOfSymbolAtLocation(found, probe);
}

/** Without an annotation the agent alone defines the field's type, so the misfit is the missing entry. */
function misfitOf(write: WriteIR, given: ts.Type | null, types: WriteTypes): WriteMisfit {
  const text = (type: ts.Type): string => textOf(types.checker, type);
  const declared = declaredOf(write, types);
  const isLacking = !write.annotated && !hasEntry(write, types);
  if (given === null || declared === null || isLacking)
    return { kind: "missing-key", write, gives: text(types.gives) };
  return { kind: "write", write, declared: text(declared), gives: text(given) };
}

function hasEntry({ key }: WriteIR, { gives, checker }: WriteTypes): boolean {
  const entry = checker.getPropertyOfType(gives, key);
  const isObject = (gives.flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive)) !== 0;
  if (entry === undefined) return !gives.isUnion() && (!isObject || checker.isArrayLikeType(gives));
  return (entry.flags & ts.SymbolFlags.Optional) === 0;
}

/** The type of the entry, or of the whole result. Null for a mapping without the entry. */
function entryOf(write: WriteIR, { gives, checker, probe }: WriteTypes): ts.Type | null {
  const whole = write.annotated && isObject(write.type);
  const isMapping = (gives.flags & ts.TypeFlags.Object) !== 0 && !checker.isArrayLikeType(gives);
  if (whole || !isMapping) return gives;
  const entry = checker.getPropertyOfType(gives, write.key);
  if (entry === undefined)
    return checker.getIndexTypeOfType(gives, ts.IndexKind.String) === undefined ? null : gives;
  return checker.getTypeOfSymbolAtLocation(entry, probe);
}
