import type { PreparedNode, Table } from "../link/table.js";

/** Marks an agent that asks a person, unless the caller gave the answer beforehand. */
const asks: unique symbol = Symbol.for("flowsheet.asks") as never;

export function asking<A extends object>(agent: A): A {
  return Object.assign(agent, { [asks]: true });
}

const isAsking = (agent: object): boolean => Object.hasOwn(agent, asks);

/** Whether another node that asks for a field has been visited: what the caller gave was its answer. */
export function wasTaken(
  asker: PreparedNode,
  field: string,
  run: { readonly table: Table; readonly visits: readonly number[] },
): boolean {
  if (!isAsking(asker.call)) return false;
  return run.table.nodes.some(
    (node) =>
      node !== asker &&
      run.visits[node.index]! > 0 &&
      isAsking(node.call) &&
      node.outputs.some((output) => output.field === field),
  );
}
