import type { ts } from "ts-morph";
import { compilerApi, parseModule } from "./source-file.js";

/** A module of agents as its text tells. */
interface AgentModule {
  /** Functions, classes, types and variables by their names. */
  readonly declared: ReadonlyMap<string, ts.Node>;
  /** What is imported of this package, by the name that it has here; `*` for a whole module. */
  readonly imported: ReadonlyMap<string, string>;
  /** What is exported, by its name outside. */
  readonly exported: ReadonlyMap<string, ts.Node>;
}

/**
 * The exports of a module that are agents whose result includes a failure: its type names `Failure`, or it has none and
 * they use `fail`. The text alone tells: nothing of it is run, and what other files declare is not followed.
 */
export function declaredFailures(text: string): ReadonlySet<string> {
  const module = readModule(parseModule(text));
  const failing = new Set<string>();
  for (const [name, node] of module.exported) if (isFailing(module, node)) failing.add(name);
  return failing;
}

/** `Outcome` is what every agent may answer: there the work itself has to tell. */
function isFailing(module: AgentModule, agent: ts.Node): boolean {
  const type = resultType(module, agent);
  if (type === undefined) return mentions(module, agent, ["fail", "Failure"]);
  if (mentions(module, type, ["Failure"])) return true;
  return mentions(module, type, ["Outcome"]) && mentions(module, agent, ["fail"]);
}

/** The type that an agent's work says it results in. */
function resultType(module: AgentModule, agent: ts.Node, depth = 0): ts.Node | undefined {
  const api = compilerApi();
  const inside = (node: ts.Node | undefined): ts.Node | undefined =>
    node === undefined || depth > MOST_NAMES ? undefined : resultType(module, node, depth + 1);
  if (api.isIdentifier(agent)) return inside(module.declared.get(agent.text));
  if (api.isVariableDeclaration(agent) || api.isPropertyDeclaration(agent)) return inside(agent.initializer);
  if (api.isCallExpression(agent)) return inside(agent.arguments[0]);
  if (api.isClassLike(agent)) return inside(agent.members.find(isProcess) ?? baseOf(agent));
  return api.isFunctionLike(agent) ? agent.type : undefined;
}

/** Names that lead to an agent one after the other; more are a circle. */
const MOST_NAMES = 32;

const isProcess = ({ name }: ts.ClassElement): boolean =>
  name !== undefined && compilerApi().isIdentifier(name) && name.text === "process";

function baseOf({ heritageClauses }: ts.ClassLikeDeclaration): ts.Expression | undefined {
  const { ExtendsKeyword } = compilerApi().SyntaxKind;
  return heritageClauses?.find(({ token }) => token === ExtendsKeyword)?.types[0]?.expression;
}

/** Whether a part of the text names one of these imports, itself or by what it is made of in this module. */
function mentions({ declared, imported }: AgentModule, part: ts.Node, names: readonly string[]): boolean {
  const api = compilerApi();
  const seen = new Set<ts.Node>();
  const isWhole = (node: ts.Node): boolean => api.isIdentifier(node) && imported.get(node.text) === "*";
  const visit = (node: ts.Node): boolean => {
    if (seen.has(node)) return false;
    seen.add(node);
    if (api.isIdentifier(node)) {
      const found = declared.get(node.text);
      return found === undefined ? names.includes(imported.get(node.text) ?? "") : visit(found);
    }
    if (api.isPropertyAccessExpression(node) && isWhole(node.expression))
      return names.includes(node.name.text);
    if (api.isQualifiedName(node) && isWhole(node.left)) return names.includes(node.right.text);
    // What only bears the name, such as the method of something else, is not the import.
    const { name } = node as { readonly name?: ts.Node };
    return api.forEachChild(node, (child) => (child !== name && visit(child)) || undefined) ?? false;
  };
  return visit(part);
}

function readModule({ statements }: ts.SourceFile): AgentModule {
  const api = compilerApi();
  const declared = new Map<string, ts.Node>();
  const imported = new Map<string, string>();
  const exported = new Map<string, ts.Node>();
  for (const statement of statements) {
    if (api.isImportDeclaration(statement) && isOurs(statement)) readImport(statement, imported);
    for (const [name, node] of declarations(statement)) {
      declared.set(name, node);
      if (isExported(statement)) exported.set(isDefault(statement) ? "default" : name, node);
    }
  }
  for (const statement of statements) {
    if (api.isExportAssignment(statement)) exported.set("default", statement.expression);
    if (!api.isExportDeclaration(statement)) continue;
    for (const [outer, name] of listed(statement)) {
      const node = declared.get(name);
      if (node !== undefined) exported.set(outer, node);
    }
  }
  return { declared, imported, exported };
}

/** Other packages have a `fail` of their own. */
const isOurs = ({ moduleSpecifier: from }: ts.ImportDeclaration): boolean =>
  compilerApi().isStringLiteral(from) && /^flowsheet(?:\/|$)/.test(from.text);

function readImport({ importClause }: ts.ImportDeclaration, imported: Map<string, string>): void {
  const bindings = importClause?.namedBindings;
  if (bindings === undefined) return;
  if (compilerApi().isNamespaceImport(bindings)) imported.set(bindings.name.text, "*");
  else
    for (const { name, propertyName } of bindings.elements)
      imported.set(name.text, (propertyName ?? name).text);
}

/** What a statement declares; a class or a function without a name is `default`. */
function declarations(statement: ts.Statement): readonly (readonly [name: string, node: ts.Node])[] {
  const api = compilerApi();
  if (api.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap((one) =>
      api.isIdentifier(one.name) ? [[one.name.text, one] as const] : [],
    );
  const isNamed =
    api.isFunctionDeclaration(statement) ||
    api.isClassDeclaration(statement) ||
    api.isTypeAliasDeclaration(statement) ||
    api.isInterfaceDeclaration(statement);
  return isNamed ? [[statement.name?.text ?? "default", statement]] : [];
}

function hasModifier(statement: ts.Statement, kind: ts.SyntaxKind): boolean {
  const api = compilerApi();
  return api.canHaveModifiers(statement) && (statement.modifiers?.some((one) => one.kind === kind) ?? false);
}

const isExported = (statement: ts.Statement): boolean =>
  hasModifier(statement, compilerApi().SyntaxKind.ExportKeyword);
const isDefault = (statement: ts.Statement): boolean =>
  hasModifier(statement, compilerApi().SyntaxKind.DefaultKeyword);

/** The pairs of `export { local as outer }`. */
function listed({
  exportClause,
  moduleSpecifier,
}: ts.ExportDeclaration): readonly (readonly [string, string])[] {
  if (exportClause === undefined || moduleSpecifier !== undefined) return [];
  if (!compilerApi().isNamedExports(exportClause)) return [];
  return exportClause.elements.map(({ name, propertyName }) => [name.text, (propertyName ?? name).text]);
}
