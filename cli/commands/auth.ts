import { suggest } from "../../compiler/diagnostics/suggest.js";
import { UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";

interface Action {
  readonly options: readonly string[];
  readonly load: () => Promise<(context: Context, given: Given) => Promise<number>>;
}

const ACTIONS: { readonly [name: string]: Action } = {
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
const OPTIONS = new Set(Object.values(ACTIONS).flatMap(({ options }) => options));

export async function auth(context: Context, [name]: readonly string[], given: Given): Promise<number> {
  const action = name !== undefined && Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) throw unknownAction(name);
  for (const option of OPTIONS) {
    const isGiven = given.flag(option) || given.text(option) !== null || given.list(option).length > 0;
    if (isGiven && !action.options.includes(option))
      throw new UsageError(
        `auth ${name} has no option ${flagOf(option)}`,
        "flowsheet auth --help shows them all",
      );
  }
  return (await action.load())(context, given);
}

/** `showKeys` is `--show-keys`. */
const flagOf = (option: string): string =>
  `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function unknownAction(name: string | undefined): UsageError {
  const all = `auth ${NAMES.join(", auth ")}`;
  if (name === undefined) return new UsageError("auth needs to know what to do", `there are ${all}`);
  const near = suggest(name, NAMES);
  return new UsageError(
    `there is no auth ${JSON.stringify(name)}`,
    near === null ? `there are ${all}` : `did you mean flowsheet auth ${near}?`,
  );
}
