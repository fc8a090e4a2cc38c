import { type Allowed, checkTokens, isCalled, type Refuse, SOURCE } from "./check-tokens.js";
import { compilerApi, parseModule, type ts } from "./source-file.js";

/** Longer modules, of more than about two thousand nodes, are read by tokens only: a tree of them costs seconds. */
const PARSED = 700_000;

/**
 * The last gate: a printed module holds nothing but declarations of the kinds that modules are made of, calls nothing
 * but what makes graphs, and has no comments but our own. It knows nothing of the encoders, so that a hole in one of
 * them stops here. Cost: linear.
 */
export function checkModule(text: string, allowed: Allowed): void {
  const refuse = createRefusal(text);
  const hidden = text.search(HIDDEN);
  if (hidden !== -1) refuse("an invisible character", hidden);
  checkTokens(text, allowed, refuse);
  if (text.length > PARSED) return;
  const file = parseModule(text);
  // The parser keeps its findings there, but does not say so in its types.
  const { parseDiagnostics = [] } = file as {
    readonly parseDiagnostics?: readonly { readonly start?: number }[];
  };
  const [fault] = parseDiagnostics;
  if (fault !== undefined) refuse("a syntax error", fault.start ?? 0);
  checkSyntax(file, allowed.values, refuse);
}

const createRefusal =
  (text: string): Refuse =>
  (what, position) => {
    const start = text.lastIndexOf("\n", position - 1) + 1;
    const shown = JSON.stringify(text.slice(start, start + 200).split("\n")[0]);
    throw new Error(`the module of a sheet holds ${what}, which no module may hold: ${shown}`);
  };

/** Every node of the tree; no recursion, for a long sum is a deep tree. */
function checkSyntax(file: ts.SourceFile, values: ReadonlySet<string>, refuse: Refuse): void {
  const ts = compilerApi();
  const rules = createRules(ts.SyntaxKind, values);
  const open: ts.Node[] = [...file.statements];
  const push = (child: ts.Node): void => {
    open.push(child);
  };
  const statements = new Set([
    ts.SyntaxKind.ImportDeclaration,
    ts.SyntaxKind.InterfaceDeclaration,
    ts.SyntaxKind.TypeAliasDeclaration,
    ts.SyntaxKind.VariableStatement,
  ]);
  for (const statement of file.statements)
    if (!statements.has(statement.kind)) refuse(`a ${ts.SyntaxKind[statement.kind]}`, statement.pos);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const rule = rules[node.kind];
    if (rule === undefined || !rule(node)) refuse(`a ${ts.SyntaxKind[node.kind]}`, node.end);
    ts.forEachChild(node, push);
  }
}

type Rule = (node: ts.Node) => boolean;
type Kinds = typeof ts.SyntaxKind;

/** By kind, what a node of it must fulfil; a kind without a rule is refused. */
function createRules(kinds: Kinds, values: ReadonlySet<string>): readonly (Rule | undefined)[] {
  const rules: (Rule | undefined)[] = [];
  for (const kind of free(kinds)) rules[kind] = () => true;
  const is = (node: ts.Node | undefined, ...wanted: readonly ts.SyntaxKind[]): boolean =>
    node !== undefined && wanted.includes(node.kind);
  const named = (node: ts.Node, names: (name: string) => boolean): boolean =>
    node.kind === kinds.Identifier && names((node as ts.Identifier).text);
  const rule = <N extends ts.Node>(kind: ts.SyntaxKind, fulfils: (node: N) => boolean): void => {
    rules[kind] = fulfils as Rule;
  };
  const pieces = [
    kinds.StringLiteral,
    kinds.NoSubstitutionTemplateLiteral,
    kinds.TemplateExpression,
    kinds.BinaryExpression,
  ];
  rule<ts.ImportDeclaration>(
    kinds.ImportDeclaration,
    ({ moduleSpecifier, importClause, attributes }) =>
      importClause !== undefined &&
      attributes === undefined &&
      moduleSpecifier.kind === kinds.StringLiteral &&
      SOURCE.test((moduleSpecifier as ts.StringLiteral).text),
  );
  rule<ts.ImportClause>(kinds.ImportClause, ({ name }) => name === undefined || values.has(name.text));
  rule<ts.CallExpression>(kinds.CallExpression, ({ expression, questionDotToken }) => {
    const makes = is(expression, kinds.CallExpression)
      ? (expression as ts.CallExpression).expression
      : expression;
    return questionDotToken === undefined && named(makes, (name) => isCalled(name) && values.has(name));
  });
  const ofParameter = ({ expression }: ts.PropertyAccessExpression | ts.ElementAccessExpression): boolean =>
    named(expression, (name) => name === "inputs" || name === "state");
  rule<ts.PropertyAccessExpression>(kinds.PropertyAccessExpression, ofParameter);
  rule<ts.ElementAccessExpression>(
    kinds.ElementAccessExpression,
    (node) => ofParameter(node) && is(node.argumentExpression, kinds.StringLiteral),
  );
  rule<ts.BinaryExpression>(
    kinds.BinaryExpression,
    ({ left, right, operatorToken }) =>
      operatorToken.kind === kinds.PlusToken && is(left, ...pieces) && is(right, ...pieces),
  );
  rule<ts.TemplateSpan>(kinds.TemplateSpan, ({ expression }) => is(expression, kinds.CallExpression));
  rule<ts.PrefixUnaryExpression>(
    kinds.PrefixUnaryExpression,
    ({ operator, operand }) => operator === kinds.MinusToken && is(operand, kinds.NumericLiteral),
  );
  rule<ts.ComputedPropertyName>(kinds.ComputedPropertyName, ({ expression }) =>
    is(expression, kinds.StringLiteral),
  );
  rule<ts.ArrowFunction>(
    kinds.ArrowFunction,
    ({ body, modifiers }) => modifiers === undefined && !is(body, kinds.Block, kinds.ArrowFunction),
  );
  rule<ts.ParameterDeclaration>(
    kinds.Parameter,
    ({ initializer, dotDotDotToken }) => initializer === undefined && dotDotDotToken === undefined,
  );
  rule<ts.BindingElement>(
    kinds.BindingElement,
    ({ initializer, dotDotDotToken, propertyName }) =>
      initializer === undefined && dotDotDotToken === undefined && propertyName === undefined,
  );
  rule<ts.TypeQueryNode>(kinds.TypeQuery, ({ exprName }) => named(exprName, (name) => values.has(name)));
  rule<ts.VariableDeclaration>(
    kinds.VariableDeclaration,
    ({ name, initializer }) => named(name, (text) => values.has(text)) && initializer !== undefined,
  );
  return rules;
}

/** Kinds that are harmless wherever the others let them stand. */
const free = (kinds: Kinds): readonly ts.SyntaxKind[] => [
  kinds.NamedImports,
  kinds.ImportSpecifier,
  kinds.InterfaceDeclaration,
  kinds.HeritageClause,
  kinds.ExpressionWithTypeArguments,
  kinds.PropertySignature,
  kinds.TypeAliasDeclaration,
  kinds.VariableStatement,
  kinds.VariableDeclarationList,
  kinds.ExportKeyword,
  kinds.QuestionToken,
  kinds.ReadonlyKeyword,
  kinds.StringKeyword,
  kinds.NumberKeyword,
  kinds.BooleanKeyword,
  kinds.UnknownKeyword,
  kinds.NeverKeyword,
  kinds.UndefinedKeyword,
  kinds.LiteralType,
  kinds.UnionType,
  kinds.IntersectionType,
  kinds.ArrayType,
  kinds.TypeOperator,
  kinds.ParenthesizedType,
  kinds.TypeLiteral,
  kinds.IndexSignature,
  kinds.TypeReference,
  kinds.IndexedAccessType,
  kinds.StringLiteral,
  kinds.NumericLiteral,
  kinds.NoSubstitutionTemplateLiteral,
  kinds.TemplateExpression,
  kinds.TemplateHead,
  kinds.TemplateMiddle,
  kinds.TemplateTail,
  kinds.PlusToken,
  kinds.TrueKeyword,
  kinds.FalseKeyword,
  kinds.NullKeyword,
  kinds.ObjectLiteralExpression,
  kinds.ArrayLiteralExpression,
  kinds.PropertyAssignment,
  kinds.ShorthandPropertyAssignment,
  kinds.EqualsGreaterThanToken,
  kinds.ObjectBindingPattern,
  kinds.ParenthesizedExpression,
  kinds.Identifier,
];

/** What no editor shows: it stands in a module as an escape. */
const HIDDEN = /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u;
