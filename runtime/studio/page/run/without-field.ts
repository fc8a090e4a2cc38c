interface NodeOfWorkflow {
  readonly name: string;
  readonly inputs: readonly { readonly field: string }[];
  readonly outputs: readonly { readonly field: string }[];
}

/** The nodes of a workflow, and which of them ask people. */
export interface NodesOfWorkflow {
  readonly nodes: readonly NodeOfWorkflow[];
  readonly questions: readonly { readonly node: string }[];
}

/** Whoever sees an optional field wants to know whether to fill it. */
export function withoutField(field: string, { nodes, questions }: NodesOfWorkflow): string {
  const names = (all: readonly NodeOfWorkflow[]): string => all.map(({ name }) => name).join(", ");
  const writers = nodes.filter(({ outputs }) => outputs.some((one) => one.field === field));
  const asking = writers.filter(({ name }) => questions.some(({ node }) => node === name));
  if (asking.length > 0) return `else asked by ${names(asking)}`;
  if (writers.length > 0) return `else written by ${names(writers)}`;
  const readers = nodes.filter(({ inputs }) => inputs.some((one) => one.field === field));
  return readers.length > 0 ? `read by ${names(readers)}` : "";
}
