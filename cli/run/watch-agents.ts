import type { OpenedGraph } from "../../runtime/workflows/open-graph.js";
import { EXIT } from "../failure.js";
import type { Context } from "../process/context.js";

/**
 * Sees to it that Ctrl-C ends a command whose agents never pause. Only agents of the project can do that, so others
 * pay nothing. Gives a function to call when the command is done.
 */
export async function watchAgents(
  { happenings, cwd, fail }: Context,
  { family }: OpenedGraph,
): Promise<() => void> {
  if (family.every(({ nodes }) => nodes.every(({ agent }) => agent.builtin))) return () => {};
  return happenings.watchThread({
    timeoutMs: null,
    cwd,
    onStuck: (why, place) => {
      if (why !== "interrupt") return Number(process.exitCode ?? EXIT.done);
      fail(`an agent does not pause${place === null ? "" : ` (${place})`}: it is stopped`);
      return EXIT.interrupted;
    },
  });
}
