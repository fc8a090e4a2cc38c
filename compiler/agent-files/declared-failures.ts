import { compilerApi, type ts } from "../typescript.js";
import {
  type AgentFile,
  baseOf,
  behind,
  isForeign,
  isImported,
  memberOf,
  namesOutcome,
} from "./agent-file.js";

/**
 * The exported agents that may fail: their return type includes `Failure`, or they have no return type and return
 * a call of `fail`.
 */
export function declaredFailures(file: AgentFile): ReadonlySet<string> {
  const failing = [...file.exported].filter(([, node]) => isFailing(file, node));
  return new Set(failing.map(([name]) => name));
}

/** A node of the search for failures: an agent, a function that makes one, or a result (a type or a value). */
interface Lead {
  readonly as: "agent" | "maker" | "result";
  readonly node: ts.Node;
  /** The class for `this` in a call of a method. */
  readonly owner?: ts.ClassLikeDeclaration | undefined;
  /** A return type names `Outcome`: a call into another file then counts as a failure. */
  readonly mayFail?: boolean | undefined;
}

/** A worklist instead of recursion, since syntax trees can be deep. */
function isFailing(module: AgentFile, agent: ts.Node): boolean {
  const open: Lead[] = [{ as: "agent", node: agent }];
  const seen = { agent: new Set<ts.Node>(), maker: new Set<ts.Node>(), result: new Set<ts.Node>() };
  for (let lead = open.pop(); lead !== undefined; lead = open.pop()) {
    if (seen[lead.as].has(lead.node)) continue;
    seen[lead.as].add(lead.node);
    if (lead.as === "result" && isFailure(module, lead.node)) return true;
    if (lead.mayFail && isElsewhere(module, lead)) return true;
    open.push(...leadsOf(module, lead));
  }
  return false;
}

/** True for the type `Failure`, also as what an interface extends, and for a call of `fail`. */
function isFailure(file: AgentFile, node: ts.Node): boolean {
  const api = compilerApi();
  if (api.isTypeReferenceNode(node)) return isImported(file, node.typeName, "Failure");
  if (api.isExpressionWithTypeArguments(node)) return isImported(file, node.expression, "Failure");
  if (api.isTypeQueryNode(node)) return isImported(file, node.exprName, "fail");
  return api.isCallExpression(node) && isImported(file, node.expression, "fail");
}

/** True for a call of what stands in another file, and of a method that is not in the class. */
function isElsewhere(file: AgentFile, { node, owner }: Lead): boolean {
  const api = compilerApi();
  if (!api.isCallExpression(node)) return false;
  const { expression } = node;
  if (!api.isPropertyAccessExpression(expression)) return isForeign(file, expression);
  const isOwn = expression.expression.kind === api.SyntaxKind.ThisKeyword;
  return isOwn && (owner === undefined || memberOf(owner, expression.name.text) === undefined);
}

function leadsOf(module: AgentFile, lead: Lead): readonly Lead[] {
  const { node } = lead;
  const api = compilerApi();
  const meant = behind(module, node);
  if (meant !== undefined) return [{ ...lead, node: meant }];
  if (lead.as === "result") return resultLeads(module, lead);
  if (api.isCallExpression(node))
    return [
      ...node.arguments.map((one): Lead => ({ as: "agent", node: one })),
      { as: "maker", node: node.expression },
    ];
  if (api.isClassLike(node)) return classLeads(node);
  if (!api.isFunctionLike(node)) return [];
  if (lead.as === "maker") return returned(node).map((one): Lead => ({ as: "agent", node: one }));
  return functionLeads(module, node, lead);
}

function classLeads(node: ts.ClassLikeDeclaration): readonly Lead[] {
  const process = memberOf(node, "process");
  if (process !== undefined) return [{ as: "agent", node: process, owner: node }];
  const base = baseOf(node)?.expression;
  return base === undefined ? [] : [{ as: "agent", node: base }];
}

/** `Outcome` includes a failure for every agent: only the body of the function tells more. */
function functionLeads(
  module: AgentFile,
  node: ts.SignatureDeclaration,
  { owner, mayFail }: Lead,
): readonly Lead[] {
  const { type } = node;
  const told: readonly Lead[] = type === undefined ? [] : [{ as: "result", node: type }];
  if (type !== undefined && !namesOutcome(module, type)) return told;
  const open = mayFail === true || type !== undefined;
  return [...told, ...returned(node).map((one): Lead => ({ as: "result", node: one, owner, mayFail: open }))];
}

const isOwn = ({ declared }: AgentFile, name: ts.Node): boolean =>
  compilerApi().isIdentifier(name) && declared.has(name.text);

function resultLeads(module: AgentFile, { node, owner, mayFail }: Lead): readonly Lead[] {
  const api = compilerApi();
  const results = (nodes: readonly ts.Node[]): readonly Lead[] =>
    nodes.map((one): Lead => ({ as: "result", node: one, owner, mayFail }));
  if (api.isUnionTypeNode(node) || api.isIntersectionTypeNode(node)) return results(node.types);
  if (api.isParenthesizedTypeNode(node) || api.isTypeAliasDeclaration(node)) return results([node.type]);
  if (api.isInterfaceDeclaration(node))
    return results(node.heritageClauses?.flatMap(({ types }) => types) ?? []);
  if (api.isExpressionWithTypeArguments(node)) return results([node.expression]);
  if (api.isTypeReferenceNode(node))
    return results([node.typeName, ...(isOwn(module, node.typeName) ? [] : (node.typeArguments ?? []))]);
  if (api.isConditionalExpression(node)) return results([node.whenTrue, node.whenFalse]);
  if (api.isBinaryExpression(node)) return isChoice(node) ? results([node.left, node.right]) : [];
  if (api.isAwaitExpression(node) || api.isNonNullExpression(node)) return results([node.expression]);
  return api.isCallExpression(node) ? callLeads(node, { owner, mayFail }) : [];
}

function callLeads(
  { expression, arguments: given }: ts.CallExpression,
  from: Pick<Lead, "owner" | "mayFail">,
): readonly Lead[] {
  const api = compilerApi();
  const { owner, mayFail } = from;
  if (api.isIdentifier(expression)) return [{ as: "agent", node: expression, mayFail }];
  if (!api.isPropertyAccessExpression(expression)) return [];
  const { name } = expression;
  if (expression.expression.kind !== api.SyntaxKind.ThisKeyword)
    return name.text === "resolve" ? given.map((node): Lead => ({ as: "result", node, ...from })) : [];
  const method = owner === undefined ? undefined : memberOf(owner, name.text);
  return method === undefined ? [] : [{ as: "agent", node: method, ...from }];
}

function isChoice({ operatorToken }: ts.BinaryExpression): boolean {
  const { BarBarToken, AmpersandAmpersandToken, QuestionQuestionToken, CommaToken } =
    compilerApi().SyntaxKind;
  return [BarBarToken, AmpersandAmpersandToken, QuestionQuestionToken, CommaToken].some(
    (kind) => kind === operatorToken.kind,
  );
}

/** The returned expressions; a local variable counts as all that is put into it. */
function returned(node: ts.SignatureDeclaration): readonly ts.Node[] {
  const api = compilerApi();
  const body = "body" in node ? node.body : undefined;
  if (body === undefined) return [];
  if (!api.isBlock(body)) return [body];
  const values: ts.Expression[] = [];
  const own = new Map<string, ts.Node[]>();
  const put = (name: ts.Node, value: ts.Node): void => {
    if (api.isIdentifier(name)) own.set(name.text, [...(own.get(name.text) ?? []), value]);
  };
  const open: ts.Node[] = [body];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (api.isFunctionLike(at) || api.isClassLike(at)) continue;
    if (api.isReturnStatement(at) && at.expression !== undefined) values.push(at.expression);
    if (api.isVariableDeclaration(at)) put(at.name, at);
    if (api.isBinaryExpression(at) && at.operatorToken.kind === api.SyntaxKind.EqualsToken)
      put(at.left, at.right);
    api.forEachChild(at, (child) => {
      open.push(child);
    });
  }
  return values.flatMap((value) => (api.isIdentifier(value) ? (own.get(value.text) ?? [value]) : [value]));
}
