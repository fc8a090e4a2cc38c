import { compilerApi, type ts } from "../typescript.js";

/** The syntax of a file of agents: its code is not run, and other files are not opened. */
export interface AgentFile {
  /** Functions, classes, types and variables by their names. */
  readonly declared: ReadonlyMap<string, ts.Node>;
  /** Exports by their names for importers. */
  readonly exported: ReadonlyMap<string, ts.Node>;
  /** Local names to names in this package, `*` for a namespace import; null for an import from elsewhere. */
  readonly imported: ReadonlyMap<string, string | null>;
}

export function readAgentFile(text: string): AgentFile {
  const api = compilerApi();
  const statements = statementsIn(text);
  const declared = new Map<string, ts.Node>();
  const exported = new Map<string, ts.Node>();
  const imported = new Map<string, string | null>();
  for (const statement of statements) {
    if (api.isImportDeclaration(statement)) readImport(statement, imported);
    for (const [name, node] of declarations(statement)) {
      declared.set(name, node);
      if (hasModifier(statement, api.SyntaxKind.ExportKeyword))
        exported.set(hasModifier(statement, api.SyntaxKind.DefaultKeyword) ? "default" : name, node);
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
  return { declared, exported, imported };
}

/** TypeScript's parser overflows the stack at thousands of brackets: such a file tells nothing. */
function statementsIn(text: string): readonly ts.Statement[] {
  const { ScriptTarget, JSDocParsingMode, createSourceFile } = compilerApi();
  const options = { languageVersion: ScriptTarget.ESNext, jsDocParsingMode: JSDocParsingMode.ParseNone };
  try {
    return createSourceFile("agents.ts", text, options, false).statements;
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** Resolves a name, a variable, brackets or `as` by one step; undefined for everything else. */
export function behind({ declared }: AgentFile, node: ts.Node): ts.Node | undefined {
  const api = compilerApi();
  if (api.isIdentifier(node)) return declared.get(node.text);
  if (api.isVariableDeclaration(node) || api.isPropertyDeclaration(node)) return node.initializer;
  const isBracket =
    api.isParenthesizedExpression(node) ||
    api.isAsExpression(node) ||
    api.isTypeAssertionExpression(node) ||
    api.isSatisfiesExpression(node);
  return isBracket ? node.expression : undefined;
}

function readImport(
  { importClause, moduleSpecifier: from }: ts.ImportDeclaration,
  imported: Map<string, string | null>,
): void {
  const api = compilerApi();
  const isOurs = api.isStringLiteral(from) && /^flowsheet(?:-runtime)?(?:\/|$)/.test(from.text);
  const add = (local: ts.Identifier, name: string): unknown => imported.set(local.text, isOurs ? name : null);
  const { name: whole, namedBindings: bindings } = importClause ?? {};
  if (whole !== undefined) add(whole, "default");
  if (bindings === undefined) return;
  if (api.isNamespaceImport(bindings)) add(bindings.name, "*");
  else for (const { name, propertyName } of bindings.elements) add(name, (propertyName ?? name).text);
}

/** Whether a name is an import of this package; other packages may also have a `fail`. */
export function isImported({ imported, declared }: AgentFile, node: ts.Node, wanted: string): boolean {
  const api = compilerApi();
  const isWhole = (one: ts.Node): boolean => api.isIdentifier(one) && imported.get(one.text) === "*";
  if (api.isIdentifier(node)) return imported.get(node.text) === wanted && !declared.has(node.text);
  if (api.isPropertyAccessExpression(node)) return node.name.text === wanted && isWhole(node.expression);
  return api.isQualifiedName(node) && node.right.text === wanted && isWhole(node.left);
}

/** True for an import from a file or from another package. */
export const isForeign = ({ imported }: AgentFile, name: ts.Node): boolean =>
  compilerApi().isIdentifier(name) && imported.get(name.text) === null;

/** Whether a type is an `Outcome` or a promise of one, also through aliases in the file. */
export function namesOutcome(file: AgentFile, type: ts.Node): boolean {
  const api = compilerApi();
  const seen = new Set<ts.Node>();
  const open = [type];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    if (api.isTypeAliasDeclaration(node)) open.push(node.type);
    if (!api.isTypeReferenceNode(node)) continue;
    if (isImported(file, node.typeName, "Outcome")) return true;
    const own = api.isIdentifier(node.typeName) ? file.declared.get(node.typeName.text) : undefined;
    open.push(...(own === undefined ? (node.typeArguments ?? []) : [own]));
  }
  return false;
}

/** A class or a function without a name is `default`. */
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

function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  const api = compilerApi();
  return api.canHaveModifiers(node) && (node.modifiers?.some((one) => one.kind === kind) ?? false);
}

/** The pairs of `export { local as outer }`. */
function listed({
  exportClause,
  moduleSpecifier,
}: ts.ExportDeclaration): readonly (readonly [string, string])[] {
  if (exportClause === undefined || moduleSpecifier !== undefined) return [];
  if (!compilerApi().isNamedExports(exportClause)) return [];
  return exportClause.elements.map(({ name, propertyName }) => [name.text, (propertyName ?? name).text]);
}

export function memberOf({ members }: ts.ClassLikeDeclaration, wanted: string): ts.ClassElement | undefined {
  const api = compilerApi();
  return members.find(
    (member) =>
      member.name !== undefined &&
      (api.isIdentifier(member.name) || api.isPrivateIdentifier(member.name)) &&
      member.name.text === wanted &&
      !hasModifier(member, api.SyntaxKind.StaticKeyword) &&
      // Only one of the overloads has a body.
      (!api.isMethodDeclaration(member) || member.body !== undefined),
  );
}

export function baseOf({
  heritageClauses,
}: ts.ClassLikeDeclaration): ts.ExpressionWithTypeArguments | undefined {
  const { ExtendsKeyword } = compilerApi().SyntaxKind;
  return heritageClauses?.find(({ token }) => token === ExtendsKeyword)?.types[0];
}
