import { suggest } from "../../compiler/diagnostics/suggest.js";
import { UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";

type Action = (context: Context, given: Given) => Promise<number>;

/** What `flowsheet auth` can do, and the options that each takes. */
const ACTIONS: {
  readonly [name: string]: { readonly options: readonly string[]; readonly load: () => Promise<Action> };
} = {
  init: {
    options: ["force", "store", "json"],
    load: async () => (await import("./auth-init.js")).initAuth,
  },
  update: {
    options: ["store", "key", "overlap", "json"],
    load: async () => (await import("./auth-update.js")).updateAuth,
  },
  view: {
    options: ["showKeys", "json"],
    load: async () => (await import("./auth-view.js")).viewAuth,
  },
  token: {
    options: ["user", "permission", "role", "minutes", "json"],
    load: async () => (await import("./auth-token.js")).mintToken,
  },
};
const NAMES = Object.keys(ACTIONS);

const OPTIONS = {
  force: "--force",
  store: "--store",
  key: "--key",
  overlap: "--overlap",
  showKeys: "--show-keys",
  json: "--json",
  user: "--user",
  permission: "--permission",
  role: "--role",
  minutes: "--minutes",
} as const;

export async function auth(context: Context, [name]: readonly string[], given: Given): Promise<number> {
  const action = name !== undefined && Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) throw unknownAction(name);
  for (const [option, flag] of Object.entries(OPTIONS)) {
    const isGiven = given.flag(option) || given.text(option) !== null || given.list(option).length > 0;
    if (isGiven && !action.options.includes(option))
      throw new UsageError(`auth ${name} has no option ${flag}`, "flowsheet auth --help shows them all");
  }
  return (await action.load())(context, given);
}

function unknownAction(name: string | undefined): UsageError {
  const all = `auth ${NAMES.join(", auth ")}`;
  if (name === undefined) return new UsageError("auth needs to know what to do", `there are ${all}`);
  const near = suggest(name, NAMES);
  return new UsageError(
    `there is no auth ${JSON.stringify(name)}`,
    near === null ? `there are ${all}` : `did you mean flowsheet auth ${near}?`,
  );
}
