import { type Actions, runAction } from "../line/actions.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";

const ACTIONS: Actions = {
  init: {
    options: ["--force", "--store", "--json"],
    run: async (context, _operands, given) => (await import("../auth/init.js")).initAuth(context, given),
  },
  add: {
    options: ["--user", "--permission", "--role", "--graph", "--json"],
    run: async (context, _operands, given) => (await import("../auth/add.js")).addKey(context, given),
  },
  update: {
    options: ["--store", "--key", "--overlap", "--json"],
    run: async (context, _operands, given) => (await import("../auth/update.js")).updateAuth(context, given),
  },
  view: {
    options: ["--show-keys", "--json"],
    run: async (context, _operands, given) => (await import("../auth/view.js")).viewAuth(context, given),
  },
  token: {
    options: ["--user", "--permission", "--role", "--minutes", "--json"],
    run: async (context, _operands, given) => (await import("../auth/token.js")).mintToken(context, given),
  },
};

export const auth = (context: Context, operands: readonly string[], given: Given): Promise<number> =>
  runAction("auth", ACTIONS, context, operands, given);
