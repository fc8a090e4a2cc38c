import {
  type InterfaceDeclarationStructure,
  type OptionalKind,
  type PropertySignatureStructure,
  StructureKind,
} from "ts-morph";
import type { FieldIR, GraphIR } from "../ir.js";
import { emitType } from "./field-type.js";
import { commentText, propertyKey, stringLiteral } from "./literals.js";
import type { Scope } from "./scope.js";

type Property = OptionalKind<PropertySignatureStructure>;

/** What a caller gives: required fields first. */
export function emitInputInterface(graph: GraphIR, scope: Scope): InterfaceDeclarationStructure {
  const required = graph.fields.filter(({ input }) => input === "required");
  const optional = graph.fields.filter(({ input }) => input === "optional");
  const property = (field: FieldIR): Property => ({
    name: propertyKey(field.name),
    type: typeOf(graph, field, scope),
    hasQuestionToken: field.input === "optional",
  });
  const properties = [...required, ...optional].map(property);
  return { kind: StructureKind.Interface, name: scope.types.input, isExported: true, properties };
}

/** The state: what the caller gives and what the nodes write; a field that is set at every end is required. */
export function emitStateInterface(graph: GraphIR, scope: Scope): InterfaceDeclarationStructure {
  const fields = graph.fields.filter(
    ({ writers, name, input }) => writers.length > 0 || (name === "error" && input === null),
  );
  const properties = fields.map((field): Property => {
    const docs = writerDocs(graph, field);
    return {
      name: propertyKey(field.name),
      type: typeOf(graph, field, scope),
      hasQuestionToken: !field.setAtEnd,
      ...(docs === null ? {} : { docs: [docs] }),
    };
  });
  return {
    kind: StructureKind.Interface,
    name: scope.types.state,
    isExported: true,
    extends: [scope.types.input],
    properties,
  };
}

function writerDocs(graph: GraphIR, { writers }: FieldIR): string | null {
  const names = writers.map((v) => `\`${commentText(graph.nodes[v]?.name ?? "")}\``);
  return names.length === 0 ? null : `Written by ${names.join(", ")}.`;
}

/** A field that a custom agent writes has the type that the agent declares. */
function typeOf(graph: GraphIR, field: FieldIR, scope: Scope): string {
  if (field.type.kind !== "unknown") return emitType(field.type);
  const types = field.writers.flatMap((v) => {
    const node = graph.nodes[v];
    const write = node?.writes.find((one) => one.field === field.name);
    if (node === undefined || write === undefined) return ["unknown"];
    if (write.type !== null) return [emitType(write.type)];
    return node.agent.builtin
      ? ["unknown"]
      : [`${scope.use("Output")}<typeof ${scope.agent(node)}, ${stringLiteral(write.key)}>`];
  });
  return types.length === 0 ? "unknown" : [...new Set(types)].join(" | ");
}
