import { type Actions, runAction } from "../line/actions.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";

const ACTIONS: Actions = {
  list: {
    options: [
      ...["--status", "--graph", "--assigned", "--mine", "--since", "--key", "--version"],
      ...["--limit", "--cursor", "--json"],
    ],
    run: async (...call) => (await import("../runs/list.js")).listRuns(...call),
  },
  show: {
    options: ["--node", "--json", "--follow"],
    run: async (...call) => (await import("../runs/show.js")).showRun(...call),
  },
  cancel: {
    options: ["--json"],
    run: async (...call) => (await import("../runs/change.js")).cancelRuns(...call),
  },
  retry: {
    options: ["--from", "--json"],
    run: async (...call) => (await import("../runs/change.js")).retryRun(...call),
  },
  fork: {
    options: ["--from", "--set", "--current", "--key", "--json"],
    run: async (...call) => (await import("../runs/fork.js")).forkRun(...call),
  },
  move: {
    options: ["--all", "--graph", "--dry-run", "--json"],
    run: async (...call) => (await import("../runs/move.js")).moveRuns(...call),
  },
  prune: {
    options: ["--older", "--status", "--dry-run", "--json"],
    run: async (...call) => (await import("../runs/prune.js")).pruneRuns(...call),
  },
  export: {
    options: ["--out", "--status", "--salvage"],
    run: async (...call) => (await import("../runs/copies/export.js")).exportRuns(...call),
  },
  setup: {
    options: ["--print"],
    run: async (...call) => (await import("../runs/setup.js")).setUpRuns(...call),
  },
  import: {
    options: [],
    run: async (context, operands) =>
      (await import("../runs/copies/import.js")).importRuns(context, operands),
  },
};

export const runs = (context: Context, operands: readonly string[], given: Given): Promise<number> =>
  runAction("runs", ACTIONS, context, operands, given, "list");
