import { ts } from "ts-morph";
import type { NodeIR, ReadIR, WriteIR } from "../ir.js";
import { isObject } from "../types/field-type.js";
import { inputsOf, type ModuleShape } from "./module-shape.js";

/** One way in which a row does not fit what its agent declares; types are in TypeScript's words. */
export type Misfit =
  | {
      readonly kind: "read";
      readonly read: ReadIR;
      /** It would fit if it were surely set. */
      readonly unset: boolean;
      /** The agent may be without it, but not be given undefined: TypeScript tells the two apart only if it is asked to. */
      readonly exact: boolean;
      readonly is: string;
      readonly takes: string;
    }
  | { readonly kind: "missing-input"; readonly input: string; readonly takes: string }
  | { readonly kind: "missing-key"; readonly write: WriteIR; readonly gives: string }
  | { readonly kind: "write"; readonly write: WriteIR; readonly declared: string; readonly gives: string };

/** The types of a node, beside its module. */
export interface NodeTypes {
  readonly checker: ts.TypeChecker;
  readonly shape: ModuleShape;
  readonly probe: ts.SourceFile;
}

/** Asks what nodes' agents take and give, and what the state holds for them: TypeScript works out what the names stand for. */
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

/** A node as TypeScript complains of it. */
export interface FaultyNode {
  readonly node: NodeIR;
  /** Its number in the probe. */
  readonly index: number;
  readonly says: string;
}

/** All ways in which a node does not fit its agent. */
export function findMisfits({ node, index, says }: FaultyNode, types: NodeTypes): readonly Misfit[] {
  const takes = aliasOf(types, `Takes${index}`);
  const gives = aliasOf(types, `Gives${index}`);
  const holds = aliasOf(types, `Holds${index}`);
  const writes = gives === null ? [] : refusedWrites(node, { gives, says }, { ...types, holds });
  return [...findReads(node, takes, types), ...writes];
}

/** The types of a node with the state that it writes into. */
interface WriteTypes extends NodeTypes {
  readonly holds: ts.Type | null;
}

/** What the types of the runtime make of a node whose result does not fit a field: the one text of theirs that names it. */
const REFUSED = /"([^":]+): the agent's result does not fit this field"/g;

function refusedWrites(
  node: NodeIR,
  { gives, says }: { readonly gives: ts.Type; readonly says: string },
  types: WriteTypes,
): readonly Misfit[] {
  const found = findWrites(node, gives, types);
  const refused = new Set([...says.matchAll(REFUSED)].map(([, field = ""]) => field));
  // TypeScript cuts long texts: then it does not name all of them.
  if (refused.size === 0 || (says.includes("...") && found.length > 0)) return found;
  const named = found.filter((misfit) => refused.has(misfit.write.field));
  if (named.length > 0) return named;
  return node.writes
    .filter(({ field }) => refused.has(field))
    .map((write) => misfitOf(write, { given: gives, gives }, types));
}

function aliasOf({ checker, probe }: NodeTypes, name: string): ts.Type | null {
  const alias = probe.statements.filter(ts.isTypeAliasDeclaration).find((one) => one.name.text === name);
  const type = alias === undefined ? null : checker.getTypeFromTypeNode(alias.type);
  return type === null || (type.flags & UNKNOWN) !== 0 ? null : type;
}

const UNKNOWN = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never;
const TEXT = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;
/** Names of types that only modules use: whoever reads the sheet wants to know what they stand for. */
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

/** Whether it is only that it may be unset that keeps a value from fitting. That it may be null is something else. */
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

type WriteMisfit = Extract<Misfit, { readonly kind: "write" | "missing-key" }>;

function findWrites(node: NodeIR, gives: ts.Type, types: WriteTypes): readonly WriteMisfit[] {
  return node.writes.flatMap((write): readonly WriteMisfit[] => {
    const declared = declaredOf(write, types);
    if (declared === null) return [];
    const given = entryOf(gives, write, types);
    if (given !== null && types.checker.isTypeAssignableTo(given, declared)) return [];
    return [misfitOf(write, { given, gives }, types)];
  });
}

function declaredOf({ field }: WriteIR, types: WriteTypes): ts.Type | null {
  const found = types.holds === null ? undefined : types.checker.getPropertyOfType(types.holds, field);
  return found === undefined ? null : types.checker.getTypeOfSymbolAtLocation(found, types.probe);
}

interface Gift {
  /** What the result gives for the output; null for nothing. */
  readonly given: ts.Type | null;
  readonly gives: ts.Type;
}

/** A field whose type only the agent tells is declared by nobody: then the result surely lacks the entry, or may lack it. */
function misfitOf(write: WriteIR, { given, gives }: Gift, types: WriteTypes): WriteMisfit {
  const { checker } = types;
  const text = (type: ts.Type): string => textOf(checker, type);
  const declared = declaredOf(write, types);
  const isLacking = !write.annotated && !hasEntry(gives, write, types);
  if (given === null || declared === null || isLacking)
    return { kind: "missing-key", write, gives: text(gives) };
  return { kind: "write", write, declared: text(declared), gives: text(given) };
}

/** Whether a result has the entry of an output for sure. */
function hasEntry(gives: ts.Type, { key }: WriteIR, { checker }: NodeTypes): boolean {
  const entry = checker.getPropertyOfType(gives, key);
  const isObject = (gives.flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive)) !== 0;
  if (entry === undefined) return !gives.isUnion() && (!isObject || checker.isArrayLikeType(gives));
  return (entry.flags & ts.SymbolFlags.Optional) === 0;
}

/** What a result gives for one output: its entry, or all of it; null when it is a mapping without the entry. */
function entryOf(gives: ts.Type, write: WriteIR, { checker, probe }: NodeTypes): ts.Type | null {
  const whole = write.annotated && isObject(write.type);
  const isMapping = (gives.flags & ts.TypeFlags.Object) !== 0 && !checker.isArrayLikeType(gives);
  if (whole || !isMapping) return gives;
  const entry = checker.getPropertyOfType(gives, write.key);
  if (entry === undefined)
    return checker.getIndexTypeOfType(gives, ts.IndexKind.String) === undefined ? null : gives;
  return checker.getTypeOfSymbolAtLocation(entry, probe);
}
