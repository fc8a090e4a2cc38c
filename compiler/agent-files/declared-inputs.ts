import type { FieldType } from "../ir.js";
import { BOOLEAN, listOf, NUMBER, OBJECT, STRING } from "../types/field-type.js";
import { compilerApi, type ts } from "../typescript.js";
import { type AgentFile, baseOf, behind, isForeign, isImported, memberOf } from "./agent-file.js";

/** Types of inputs by name. Text, and types that a sheet cannot name, are left out. */
export type Takes = ReadonlyMap<string, FieldType>;

/** Types from other files are unknown, and are left out. */
export function declaredInputs(file: AgentFile, name: string): Takes | undefined {
  const agent = file.exported.get(name);
  return agent && membersOf(file, inputsOf(file, agent));
}

/** The limit of aliases on the way to a type: two aliases may refer to each other. */
const STEPS = 20;

function inputsOf(module: AgentFile, agent: ts.Node): ts.TypeNode | undefined {
  const api = compilerApi();
  let node: ts.Node | undefined = agent;
  for (let step = 0; step < STEPS && node !== undefined; step++) {
    if (api.isClassLike(node)) return inputsOfClass(module, node);
    if (api.isFunctionLike(node)) return node.parameters[0]?.type;
    if (api.isCallExpression(node) && isImported(module, node.expression, "defineAgent")) {
      if (node.typeArguments?.[0] !== undefined) return node.typeArguments[0];
      node = node.arguments[0];
    } else node = behind(module, node);
  }
  return undefined;
}

function inputsOfClass(file: AgentFile, node: ts.ClassLikeDeclaration): ts.TypeNode | undefined {
  const method = memberOf(node, "process");
  const [inputs] = method !== undefined && compilerApi().isMethodDeclaration(method) ? method.parameters : [];
  if (inputs?.type !== undefined) return inputs.type;
  const base = baseOf(node);
  return base !== undefined && isImported(file, base.expression, "Agent")
    ? base.typeArguments?.[0]
    : undefined;
}

function membersOf(module: AgentFile, inputs: ts.TypeNode | undefined): Takes {
  const api = compilerApi();
  const type = inputs === undefined ? undefined : resolved(module, inputs);
  const members = type !== undefined && (api.isTypeLiteralNode(type) || api.isInterfaceDeclaration(type));
  const takes = new Map<string, FieldType>();
  for (const member of members ? type.members : []) {
    if (!api.isPropertySignature(member) || member.type === undefined) continue;
    if (!api.isIdentifier(member.name) && !api.isStringLiteral(member.name)) continue;
    const taken = fieldType(module, member.type);
    if (taken !== null) takes.set(member.name.text, taken);
  }
  return takes;
}

/** Resolves aliases of the file; an alias with type parameters stays. */
function resolved({ declared }: AgentFile, type: ts.Node): ts.Node {
  const api = compilerApi();
  let node = type;
  for (let step = 0; step < STEPS; step++) {
    if (api.isParenthesizedTypeNode(node)) node = node.type;
    else if (api.isTypeAliasDeclaration(node) && node.typeParameters === undefined) node = node.type;
    else if (
      api.isTypeReferenceNode(node) &&
      api.isIdentifier(node.typeName) &&
      declared.has(node.typeName.text)
    )
      node = declared.get(node.typeName.text) as ts.Node;
    else break;
  }
  return node;
}

/** Null for text, which every given value can become, and for a type that no sheet can name. */
function fieldType(module: AgentFile, declared: ts.Node, depth = 0): FieldType | null {
  const api = compilerApi();
  if (depth > STEPS) return null;
  const type = resolved(module, declared);
  if (type.kind === api.SyntaxKind.NumberKeyword) return NUMBER;
  if (type.kind === api.SyntaxKind.BooleanKeyword) return BOOLEAN;
  if (api.isTypeLiteralNode(type) || api.isInterfaceDeclaration(type))
    return isMapping(type.members) ? OBJECT : null;
  if (api.isArrayTypeNode(type)) return listOf(itemType(type.elementType));
  if (api.isTypeReferenceNode(type)) return builtinType(module, type);
  if (api.isTypeOperatorNode(type) && type.operator === api.SyntaxKind.ReadonlyKeyword)
    return fieldType(module, type.type, depth + 1);
  if (!api.isUnionTypeNode(type)) return null;
  const members = type.types.filter(({ kind }) => kind !== api.SyntaxKind.UndefinedKeyword);
  if (members.length === 1) return fieldType(module, members[0] as ts.Node, depth + 1);
  const values = members.flatMap((one) =>
    api.isLiteralTypeNode(one) && api.isStringLiteral(one.literal) ? [one.literal.text] : [],
  );
  return values.length === members.length ? { kind: "choice", values } : null;
}

/** `{}` accepts any value, and a type with a call signature is no data. */
function isMapping(members: readonly ts.TypeElement[]): boolean {
  const api = compilerApi();
  const isData = (one: ts.TypeElement): boolean =>
    api.isPropertySignature(one) || api.isIndexSignatureDeclaration(one);
  return members.length > 0 && members.every(isData);
}

function builtinType(file: AgentFile, { typeName, typeArguments }: ts.TypeReferenceNode): FieldType | null {
  if (!compilerApi().isIdentifier(typeName) || isForeign(file, typeName) || file.declared.has(typeName.text))
    return null;
  const first = typeArguments?.[0];
  if (typeName.text === "Record") return OBJECT;
  const isList = typeName.text === "Array" || typeName.text === "ReadonlyArray";
  return isList && first !== undefined ? listOf(itemType(first)) : null;
}

function itemType({ kind }: ts.TypeNode): FieldType | null {
  const { SyntaxKind } = compilerApi();
  if (kind === SyntaxKind.StringKeyword) return STRING;
  if (kind === SyntaxKind.NumberKeyword) return NUMBER;
  return kind === SyntaxKind.BooleanKeyword ? BOOLEAN : null;
}
