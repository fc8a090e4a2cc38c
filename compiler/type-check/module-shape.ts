import { ts } from "ts-morph";

/** The parts of a generated module that problems are traced back through. */
export interface ModuleShape {
  readonly graph: string;
  readonly fingerprint: string;
  readonly state: string;
  readonly nodes: string;
  readonly entries: ReadonlyMap<string, ts.PropertyAssignment>;
  /** The state type of each node. Inside branches, a list field is one item. */
  readonly states: ReadonlyMap<string, string>;
}

export type Spot =
  | { readonly kind: "node"; readonly node: string; readonly part: string; readonly item: string | null }
  | { readonly kind: "field"; readonly field: string }
  | { readonly kind: "elsewhere" };

/** Null for files that are not modules of graphs, such as the index. */
export function readShape(file: ts.SourceFile): ModuleShape | null {
  const declared = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations);
  for (const { type, initializer } of declared) {
    const made = initializer === undefined ? null : definitionOf(initializer);
    if (made === null || type === undefined || !ts.isTypeReferenceNode(type)) continue;
    const [, state, nodes] = type.typeArguments ?? [];
    const graph = textAt(made, "name");
    const fingerprint = textAt(made, "fingerprint");
    if (state === undefined || nodes === undefined || graph === null || fingerprint === null) continue;
    const table = declared.find((one) => one.type?.getText() === nodes.getText())?.initializer;
    const entries = entriesOf(table);
    const names = { state: state.getText(), nodes: nodes.getText() };
    return { graph, fingerprint, ...names, entries, states: statesOf(entries, declared) };
  }
  return null;
}

/** A node is the call of a function whose first type argument is its state. */
function statesOf(
  entries: ModuleShape["entries"],
  declared: readonly ts.VariableDeclaration[],
): ReadonlyMap<string, string> {
  const makers = new Map(
    declared.flatMap(({ name, initializer }) => {
      const [state] =
        initializer !== undefined && ts.isCallExpression(initializer)
          ? (initializer.typeArguments ?? [])
          : [];
      return state === undefined ? [] : [[name.getText(), state.getText()] as const];
    }),
  );
  return new Map(
    [...entries].flatMap(([node, { initializer }]) => {
      const maker = ts.isCallExpression(initializer)
        ? makers.get(initializer.expression.getText())
        : undefined;
      return maker === undefined ? [] : [[node, maker] as const];
    }),
  );
}

function definitionOf(made: ts.Expression): ts.ObjectLiteralExpression | null {
  const last = ts.isCallExpression(made) ? made.arguments.at(-1) : undefined;
  return last !== undefined && ts.isObjectLiteralExpression(last) ? last : null;
}

function textAt(object: ts.ObjectLiteralExpression, name: string): string | null {
  for (const property of object.properties) {
    if (!ts.isPropertyAssignment(property) || nameOf(property) !== name) continue;
    if (ts.isStringLiteralLike(property.initializer)) return property.initializer.text;
  }
  return null;
}

function entriesOf(table: ts.Expression | undefined): ReadonlyMap<string, ts.PropertyAssignment> {
  if (table === undefined || !ts.isObjectLiteralExpression(table)) return new Map();
  return new Map(
    table.properties.filter(ts.isPropertyAssignment).map((entry) => [nameOf(entry) ?? "", entry] as const),
  );
}

/** Without quotes and escapes. */
export function nameOf({ name }: ts.NamedDeclaration): string | null {
  if (name === undefined) return null;
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : null;
}

export function spotAt(file: ts.SourceFile, { nodes }: ModuleShape, offset: number): Spot {
  const path = pathTo(file, offset);
  const [statement] = path;
  const names = path.filter(isNamed).flatMap((one) => nameOf(one) ?? []);
  const [first, part = ""] = names;
  if (statement === undefined || first === undefined) return { kind: "elsewhere" };
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
    const isTable = statement.name.text === nodes;
    return isTable
      ? { kind: "node", node: first, part: "agent", item: null }
      : { kind: "field", field: first };
  }
  if (!ts.isVariableStatement(statement)) return { kind: "elsewhere" };
  return { kind: "node", node: first, part, item: names.length > 2 ? (names.at(-1) ?? null) : null };
}

type Named = ts.PropertyAssignment | ts.ShorthandPropertyAssignment | ts.PropertySignature;
const isNamed = (node: ts.Node): node is Named =>
  ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node) || ts.isPropertySignature(node);

/** The nodes around an offset, from the statement inwards. */
function pathTo(file: ts.SourceFile, offset: number): readonly ts.Node[] {
  const path: ts.Node[] = [];
  let around: ts.Node | undefined = file;
  while (around !== undefined) {
    const inner: ts.Node | undefined = ts.forEachChild(around, (child) =>
      child.getStart(file) <= offset && offset < child.end ? child : undefined,
    );
    if (inner !== undefined) path.push(inner);
    around = inner;
  }
  return path;
}

/** The expression of each input, from the node's function of inputs. */
export function inputsOf(entry: ts.PropertyAssignment): ReadonlyMap<string, ts.Node> {
  const found = new Map<string, ts.Node>();
  const options = ts.isCallExpression(entry.initializer) ? entry.initializer.arguments.at(-1) : undefined;
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return found;
  const inputs = options.properties.filter(ts.isPropertyAssignment).find((one) => nameOf(one) === "inputs");
  if (inputs === undefined || !ts.isArrowFunction(inputs.initializer)) return found;
  const { body } = inputs.initializer;
  const result = ts.isParenthesizedExpression(body) ? body.expression : body;
  if (!ts.isObjectLiteralExpression(result)) return found;
  for (const property of result.properties) {
    const name = nameOf(property);
    if (name === null) continue;
    if (ts.isPropertyAssignment(property)) found.set(name, property.initializer);
    else if (ts.isShorthandPropertyAssignment(property)) found.set(name, property);
  }
  return found;
}
