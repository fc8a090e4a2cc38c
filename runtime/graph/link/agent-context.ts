import type { AgentContext, Logger, Services } from "../contract/contract.js";
import { isOurs } from "./marks.js";

/** The properties of a context, so that it can be spread and listed. */
const ENTRIES: { readonly [K in keyof AgentContext]: true } = {
  runId: true,
  graph: true,
  node: true,
  visit: true,
  attempt: true,
  timeoutMs: true,
  settings: true,
  prompt: true,
  formula: true,
  outputs: true,
  signal: true,
  log: true,
  key: true,
  services: true,
  answer: true,
  answered: true,
  targets: true,
  given: true,
  wait: true,
  recall: true,
  remember: true,
  spend: true,
};

/** The hook of console.log in Node. It must not print what services hold. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** The prototype of all contexts. It is frozen, because agents can reach it. */
const PRINTED = Object.freeze({
  [INSPECT](this: AgentContext): object {
    return shown(this);
  },
  toJSON(this: AgentContext): object {
    return shown(this);
  },
});

/** The target of all context Proxies. Values are read from the visit on access. */
const SHAPE = Object.freeze(
  Object.create(
    PRINTED,
    Object.fromEntries(
      Object.keys(ENTRIES).map((name) => [name, { enumerable: true, get: () => undefined }]),
    ),
  ),
) as AgentContext;

function shown(context: AgentContext): object {
  const { runId, graph, node, visit, attempt, key, settings, prompt, answer, services } = context;
  return {
    runId,
    graph,
    node,
    visit,
    attempt,
    key,
    settings,
    prompt,
    answer,
    services: Object.keys(services),
  };
}

/**
 * The frozen context of an agent. A Proxy costs a tenth of an object with all entries, and computes only what the
 * agent reads.
 */
export function contextOf(visit: AgentContext): AgentContext {
  return new Proxy(SHAPE, new Reader(visit));
}

class Reader implements ProxyHandler<AgentContext> {
  readonly #visit: AgentContext;

  constructor(visit: AgentContext) {
    this.#visit = visit;
  }

  get(shape: AgentContext, key: string | symbol): unknown {
    return Object.hasOwn(shape, key)
      ? entryOf(this.#visit, key as keyof AgentContext)
      : Reflect.get(shape, key);
  }

  set(_shape: AgentContext, key: string | symbol): never {
    throw new TypeError(`the context cannot be changed: "${String(key)}" is read only`);
  }
}

function entryOf(visit: AgentContext, key: keyof AgentContext): unknown {
  if (key === "log") return lentLog(visit.log);
  if (key === "services") return lentServices(visit.services);
  const value = visit[key];
  return typeof value === "function" ? value.bind(visit) : value;
}

const logs = new WeakMap<Logger, Logger>();

/** A frozen copy of the logger: a change by an agent would affect all agents. */
function lentLog(log: Logger): Logger {
  const known = logs.get(log);
  if (known !== undefined) return known;
  const lent: Logger = Object.freeze({
    debug: (message: string, details?: unknown) => log.debug(message, details),
    info: (message: string, details?: unknown) => log.info(message, details),
    warn: (message: string, details?: unknown) => log.warn(message, details),
    error: (message: string, details?: unknown) => log.error(message, details),
  });
  logs.set(log, lent);
  return lent;
}

const frozenServices = new WeakMap<Services, Services>();

/** The services for agents: no entry can be replaced, and printing shows only names. */
function lentServices(services: Services): Services {
  const prototype: unknown = Object.getPrototypeOf(services);
  if (prototype !== Object.prototype && prototype !== null) return services;
  const known = frozenServices.get(services);
  if (known !== undefined) return known;
  const lent = Object.create(NAMED, Object.getOwnPropertyDescriptors(services)) as Services;
  Object.freeze(lent);
  // Services that are not frozen may still get more entries.
  if (Object.isFrozen(services)) frozenServices.set(services, lent);
  return lent;
}

const NAMED = Object.freeze({
  [INSPECT](this: Services): readonly string[] {
    return Object.keys(this);
  },
  // JSON.stringify of a spread context would print the services, for example in details of a log line.
  toJSON(this: Services): readonly string[] {
    return Object.keys(this);
  },
});

/** Matches at most one parameter, and no other way to a second argument. */
const TAKES_INPUTS =
  /^(?:async\s+)?(?:function\b\s*)?(?:[\w$]+\s*)?(?:\(\s*(?:[\w$]+|\{[\w$\s,:]*\})?\s*,?\s*\)|[\w$]+)\s*(?:=>|\{)/;

/** True when an agent may use its context. Asked once a graph, so that other agents need none. */
export function takesContext(agent: object): boolean {
  if (isOurs(agent)) return false;
  const source = Function.prototype.toString.call(agent);
  return !TAKES_INPUTS.test(source) || /\barguments\b|\[native code\]/.test(source);
}
