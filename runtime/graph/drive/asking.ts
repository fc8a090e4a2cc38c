import type { Visit } from "./visit.js";

/** Marks an agent that asks a person, unless the caller gave the answer beforehand. */
const asks: unique symbol = Symbol.for("flowsheet.asks") as never;

export function asking<A extends object>(agent: A): A {
  return Object.assign(agent, { [asks]: true });
}

const isAsking = (agent: object): boolean => Object.hasOwn(agent, asks);

/** Whether another node that asks for a field has been visited: what the caller gave was its answer. */
export function wasTaken({ prepared, line: { run } }: Visit, field: string): boolean {
  if (!isAsking(prepared.call)) return false;
  return run.table.nodes.some(
    (node) =>
      node !== prepared &&
      run.visits[node.index]! > 0 &&
      isAsking(node.call) &&
      node.outputs.some((output) => output.field === field),
  );
}
