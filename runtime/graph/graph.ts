import type { AnyGraph, GraphDefinition, NodeTable, RunOptions } from "./contract/contract.js";
import { execute, resume } from "./drive/execute.js";
import { type Table, tableOf } from "./link/table.js";
import { createStream } from "./tell/stream.js";

const NO_OPTIONS: RunOptions = Object.freeze({});

/** Creates a graph that can be run. The table is prepared with the first run. */
export function createGraph(definition: GraphDefinition<NodeTable>): AnyGraph {
  let table: Table | undefined;
  const ready = (): Table => {
    table ??= tableOf(definition);
    return table;
  };
  return {
    name: definition.name,
    entry: definition.entry,
    definition,
    get fingerprint(): string {
      return definition.fingerprint;
    },
    run: (input, options = NO_OPTIONS) => execute(ready, input, options),
    resume: async (checkpoint, answers, options = {}) => resume(ready(), checkpoint, { answers, options }),
    stream: (input, options = {}) =>
      createStream(async (hooks) => {
        const on: typeof hooks.on = (event) => {
          options.on?.(event);
          hooks.on(event);
        };
        return execute(ready, input, { ...options, on }, hooks.onSettled);
      }),
  };
}
