import type { Webhook } from "../../../compiler/types/webhook.js";
import { StartRefusedError } from "../../auth/live.js";
import type { Logger } from "../../graph/contract/contract.js";
import type { Environment } from "../../host.js";
import type { Workflow } from "../../workflows/catalogue.js";
import { secretOf } from "./proof.js";

/** A workflow that requests from outside begin. */
export interface ServedHook {
  readonly workflow: Workflow;
  readonly webhook: Webhook;
  readonly key: Buffer;
}

interface HooksWorld {
  readonly env: Environment;
  readonly log: Logger;
}

/** Refuses a start with webhooks that could not be used. */
export function checkHooks(workflows: readonly Workflow[], { env, log }: HooksWorld): void {
  const paths = new Map<string, Workflow>();
  for (const workflow of workflows) {
    const { webhook } = workflow.ir;
    if (webhook === null) continue;
    const { path } = webhook;
    const first = paths.get(path);
    if (first !== undefined)
      throw new StartRefusedError(
        `two workflows have a webhook with the path ${path}: ${placeOf(first)} and ${placeOf(workflow)}`,
      );
    paths.set(path, workflow);
    const found = secretOf(webhook, env);
    if ("lacks" in found)
      throw new StartRefusedError(`${found.lacks}: the webhook ${path} of ${placeOf(workflow)} needs it`);
    if (found.isShort)
      log.warn(`the secret of the webhook ${path} has less than 16 bytes, which is easy to guess`);
  }
}

const placeOf = ({ name, source }: Workflow): string => `${JSON.stringify(name)} (${source})`;

/** The hook that a request means; or why it cannot be used, for the log. Null when there is none. */
export function hookOf(
  [workflow, ...others]: readonly Workflow[],
  env: Environment,
): ServedHook | { readonly lacks: string } | null {
  const webhook = workflow?.ir.webhook ?? null;
  if (workflow === undefined || webhook === null) return null;
  if (others.length > 0)
    return { lacks: `${[workflow, ...others].map(placeOf).join(" and ")} have the same path` };
  const found = secretOf(webhook, env);
  if ("lacks" in found) return found;
  return workflow.valid
    ? { workflow, webhook, key: found.key }
    : { lacks: `${placeOf(workflow)} has errors, or cannot be loaded` };
}

export type HookOwners = (path: string, found: readonly Workflow[]) => readonly Workflow[];

/** A path stays with the workflow that had it alone, whoever claims it later: a new sheet stops no sender of another. */
export function createHookOwners(log: Pick<Logger, "error">): HookOwners {
  const owners = new Map<string, string>();
  const told = new Set<string>();
  return (path, found) => {
    const [only, ...others] = found;
    if (only !== undefined && others.length === 0) owners.set(path, ownerOf(only));
    if (others.length === 0) return found;
    const owner = found.find((one) => ownerOf(one) === owners.get(path));
    if (owner === undefined) return found;
    const places = found.map(placeOf).join(" and ");
    const text = `${places} have a webhook with the path ${path}: ${placeOf(owner)} keeps it`;
    if (!told.has(text)) log.error(text);
    told.add(text);
    return [owner];
  };
}

const ownerOf = ({ source, graphName }: Workflow): string => `${source}::${graphName}`;
