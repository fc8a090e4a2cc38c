import { suggest } from "../../compiler/diagnostics/suggest.js";
import { UsageError } from "../failure.js";
import type { Context } from "../process/context.js";
import type { Given, Verb } from "./verb.js";

/** What a command such as `auth` can do: for each of its actions the options that it takes, and its code. */
export interface Actions {
  readonly [name: string]: { readonly options: readonly string[]; readonly run: Verb["run"] };
}

/** Does the action that the first operand names, or the usual one; further operands are the action's own. */
export async function runAction(
  verb: string,
  actions: Actions,
  context: Context,
  [name, ...operands]: readonly string[],
  given: Given,
  usual?: string,
): Promise<number> {
  const chosen = name ?? usual;
  const action = chosen !== undefined && Object.hasOwn(actions, chosen) ? actions[chosen] : undefined;
  if (action === undefined) throw unknownAction(verb, chosen, Object.keys(actions));
  const wrong = given.flags.find((flag) => !action.options.includes(flag));
  if (wrong === undefined) return action.run(context, operands, given);
  throw new UsageError(`${verb} ${chosen} has no option ${wrong}`, `flowsheet ${verb} --help shows them all`);
}

function unknownAction(verb: string, name: string | undefined, names: readonly string[]): UsageError {
  const all = `there are ${names.map((one) => `${verb} ${one}`).join(", ")}`;
  if (name === undefined) return new UsageError(`${verb} needs to know what to do`, all);
  const near = suggest(name, names);
  const help = near === null ? all : `did you mean flowsheet ${verb} ${near}?`;
  return new UsageError(`there is no ${verb} ${JSON.stringify(name)}`, help);
}
