import { ts } from "ts-morph";
import type { NodeIR, ReadIR, WriteIR } from "../ir.js";
import { inputsOf, type ModuleShape } from "./module-shape.js";

/** One way in which a row does not fit what its agent declares; types are in TypeScript's words. */
export type Misfit =
  | {
      readonly kind: "read";
      readonly read: ReadIR;
      /** It would fit if it were surely set. */
      readonly unset: boolean;
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

/** Asks what nodes' agents take and give, and what the state holds: TypeScript works out what the names stand for. */
export function probeText(module: string, { state, nodes }: ModuleShape, names: readonly string[]): string {
  const lines = names.flatMap((name, i) => {
    const agent = `${nodes}[${JSON.stringify(name)}]["agent"]`;
    return [`export type Takes${i} = InputsOf<${agent}>;`, `export type Gives${i} = ResultOf<${agent}>;`];
  });
  return [
    'import type { InputsOf, ResultOf } from "flowsheet/graph";',
    `import type { ${nodes}, ${state} } from ${JSON.stringify(module)};`,
    `export type State = Required<${state}>;`,
    ...lines,
    "",
  ].join("\n");
}

/** All ways in which a node does not fit its agent. `index` is its number in the probe. */
export function findMisfits(node: NodeIR, index: number, types: NodeTypes): readonly Misfit[] {
  const takes = aliasOf(types, `Takes${index}`);
  const gives = aliasOf(types, `Gives${index}`);
  return [...findReads(node, takes, types), ...findWrites(node, gives, types)];
}

function aliasOf({ checker, probe }: NodeTypes, name: string): ts.Type | null {
  const alias = probe.statements.filter(ts.isTypeAliasDeclaration).find((one) => one.name.text === name);
  const type = alias === undefined ? null : checker.getTypeFromTypeNode(alias.type);
  return type === null || (type.flags & UNKNOWN) !== 0 ? null : type;
}

const UNKNOWN = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never;
const TEXT = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

function findReads(node: NodeIR, takes: ts.Type | null, types: NodeTypes): readonly Misfit[] {
  if (takes === null) return [];
  const { checker, shape, probe } = types;
  const entry = shape.entries.get(node.name);
  const given = entry === undefined ? new Map<string, ts.Node>() : inputsOf(entry);
  return checker.getPropertiesOfType(takes).flatMap((wanted): readonly Misfit[] => {
    const type = checker.getTypeOfSymbolAtLocation(wanted, probe);
    const isOptional = (wanted.flags & ts.SymbolFlags.Optional) !== 0;
    const shown = isOptional ? checker.getNonNullableType(type) : type;
    const takesText = checker.typeToString(shown, undefined, TEXT);
    const read = node.reads.find(({ param }) => param === wanted.name);
    if (read === undefined) {
      return isOptional || given.has(wanted.name)
        ? []
        : [{ kind: "missing-input", input: wanted.name, takes: takesText }];
    }
    const expression = given.get(read.param);
    const is = expression === undefined ? null : typeAt(checker, expression);
    if (is === null || checker.isTypeAssignableTo(is, type)) return [];
    const set = checker.getNonNullableType(is);
    const unset = set !== is && checker.isTypeAssignableTo(set, type);
    return [{ kind: "read", read, unset, is: checker.typeToString(set, undefined, TEXT), takes: takesText }];
  });
}

function typeAt(checker: ts.TypeChecker, expression: ts.Node): ts.Type | null {
  if (!ts.isShorthandPropertyAssignment(expression)) return checker.getTypeAtLocation(expression);
  const symbol = checker.getShorthandAssignmentValueSymbol(expression);
  return symbol === undefined ? null : checker.getTypeOfSymbolAtLocation(symbol, expression);
}

function findWrites(node: NodeIR, gives: ts.Type | null, types: NodeTypes): readonly Misfit[] {
  const state = aliasOf(types, "State");
  if (gives === null || state === null) return [];
  const { checker, probe } = types;
  return node.writes.flatMap((write): readonly Misfit[] => {
    const field = checker.getPropertyOfType(state, write.field);
    if (field === undefined) return [];
    const declared = checker.getTypeOfSymbolAtLocation(field, probe);
    const given = entryOf(gives, write, types);
    const text = (type: ts.Type): string => checker.typeToString(type, undefined, TEXT);
    if (given === null) return [{ kind: "missing-key", write, gives: text(gives) }];
    if (checker.isTypeAssignableTo(given, declared)) return [];
    return [{ kind: "write", write, declared: text(declared), gives: text(given) }];
  });
}

/** What a result gives for one output: its entry, or all of it; null when it is a mapping without the entry. */
function entryOf(gives: ts.Type, write: WriteIR, { checker, probe }: NodeTypes): ts.Type | null {
  const whole = write.annotated && write.type?.kind === "object";
  const isMapping = (gives.flags & ts.TypeFlags.Object) !== 0 && !checker.isArrayLikeType(gives);
  if (whole || !isMapping) return gives;
  const entry = checker.getPropertyOfType(gives, write.key);
  if (entry === undefined)
    return checker.getIndexTypeOfType(gives, ts.IndexKind.String) === undefined ? null : gives;
  return checker.getTypeOfSymbolAtLocation(entry, probe);
}
