import { compilerApi, type ts } from "../typescript.js";

/** A file of agents as its text tells: nothing of it is run, and other files are not opened. */
export interface AgentFile {
  /** Functions, classes, types and variables by their names. */
  readonly declared: ReadonlyMap<string, ts.Node>;
  /** What is exported, by its name outside. */
  readonly exported: ReadonlyMap<string, ts.Node>;
  /** Whether a name stands for what this package calls so. */
  readonly isImported: (name: ts.Node, wanted: string) => boolean;
  /** Whether a name is declared in the module itself. */
  readonly isOwn: (name: ts.Node) => boolean;
  /** Whether a type is an `Outcome`, or a promise of one, itself or by another name of the module. */
  readonly namesOutcome: (type: ts.Node) => boolean;
  /** True for a name that is imported of another file, or of another package. */
  readonly isForeign: (name: ts.Node) => boolean;
}

/** Reads a file once for all that is asked of it. */
export function readAgentFile(text: string): AgentFile {
  const api = compilerApi();
  const statements = statementsIn(text);
  const declared = new Map<string, ts.Node>();
  const exported = new Map<string, ts.Node>();
  for (const statement of statements)
    for (const [name, node] of declarations(statement)) {
      declared.set(name, node);
      if (isExported(statement)) exported.set(isDefault(statement) ? "default" : name, node);
    }
  for (const statement of statements) {
    if (api.isExportAssignment(statement)) exported.set("default", statement.expression);
    if (!api.isExportDeclaration(statement)) continue;
    for (const [outer, name] of listed(statement)) {
      const node = declared.get(name);
      if (node !== undefined) exported.set(outer, node);
    }
  }
  const isImported = createImports(statements, declared);
  const isOwn = (name: ts.Node): boolean => api.isIdentifier(name) && declared.has(name.text);
  const namesOutcome = createOutcomes(declared, isImported);
  return { declared, exported, isImported, isOwn, namesOutcome, isForeign: createForeign(statements) };
}

/** The parser has no room for what is thousands of brackets deep: of that nothing is known. */
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

/** What a name, a variable, brackets or `as` stand for; undefined for everything else. */
export function behind({ declared }: AgentFile, node: ts.Node): ts.Node | undefined {
  const api = compilerApi();
  if (api.isIdentifier(node)) return declared.get(node.text);
  if (api.isVariableDeclaration(node) || api.isPropertyDeclaration(node)) return node.initializer;
  const isBracket =
    api.isParenthesizedExpression(node) || api.isAsExpression(node) || api.isSatisfiesExpression(node);
  return isBracket ? node.expression : undefined;
}

function createForeign(statements: readonly ts.Statement[]): AgentFile["isForeign"] {
  const api = compilerApi();
  const names = new Map<string, string>();
  for (const statement of statements) {
    if (!api.isImportDeclaration(statement) || isOurs(statement)) continue;
    readImport(statement, names);
    const whole = statement.importClause?.name;
    if (whole !== undefined) names.set(whole.text, "default");
  }
  return (name) => api.isIdentifier(name) && names.has(name.text);
}

/** What is imported of this package; another one may have a `fail` of its own. */
function createImports(
  statements: readonly ts.Statement[],
  declared: ReadonlyMap<string, ts.Node>,
): AgentFile["isImported"] {
  const api = compilerApi();
  /** By the name that it has here; `*` for the whole package. */
  const imported = new Map<string, string>();
  for (const statement of statements)
    if (api.isImportDeclaration(statement) && isOurs(statement)) readImport(statement, imported);
  const isWhole = (node: ts.Node): boolean => api.isIdentifier(node) && imported.get(node.text) === "*";
  return (node, wanted) => {
    if (api.isIdentifier(node)) return imported.get(node.text) === wanted && !declared.has(node.text);
    if (api.isPropertyAccessExpression(node)) return node.name.text === wanted && isWhole(node.expression);
    return api.isQualifiedName(node) && node.right.text === wanted && isWhole(node.left);
  };
}

const isOurs = ({ moduleSpecifier: from }: ts.ImportDeclaration): boolean =>
  compilerApi().isStringLiteral(from) && /^flowsheet(?:-runtime)?(?:\/|$)/.test(from.text);

function readImport({ importClause }: ts.ImportDeclaration, imported: Map<string, string>): void {
  const bindings = importClause?.namedBindings;
  if (bindings === undefined) return;
  if (compilerApi().isNamespaceImport(bindings)) imported.set(bindings.name.text, "*");
  else
    for (const { name, propertyName } of bindings.elements)
      imported.set(name.text, (propertyName ?? name).text);
}

function createOutcomes(
  declared: ReadonlyMap<string, ts.Node>,
  isImported: AgentFile["isImported"],
): AgentFile["namesOutcome"] {
  const api = compilerApi();
  return (type) => {
    const seen = new Set<ts.Node>();
    const open = [type];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (seen.has(node)) continue;
      seen.add(node);
      if (api.isTypeAliasDeclaration(node)) open.push(node.type);
      if (!api.isTypeReferenceNode(node)) continue;
      if (isImported(node.typeName, "Outcome")) return true;
      const own = api.isIdentifier(node.typeName) ? declared.get(node.typeName.text) : undefined;
      open.push(...(own === undefined ? (node.typeArguments ?? []) : [own]));
    }
    return false;
  };
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

export function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  const api = compilerApi();
  return api.canHaveModifiers(node) && (node.modifiers?.some((one) => one.kind === kind) ?? false);
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
