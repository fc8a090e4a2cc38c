import type { AgentContext, Logger, Services } from "../contract/contract.js";
import { isOurs } from "./marks.js";

/** What agents find in their context, so that it can be spread and listed. */
const ENTRIES: { readonly [K in keyof AgentContext]: true } = {
  runId: true,
  graph: true,
  node: true,
  visit: true,
  attempt: true,
  settings: true,
  prompt: true,
  outputs: true,
  signal: true,
  log: true,
  key: true,
  services: true,
  answer: true,
  targets: true,
  given: true,
  wait: true,
  recall: true,
  remember: true,
  spend: true,
};

/** As Node prints it: what it says, without what services hold. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** Frozen as all that agents can reach: every context of every run stands on it. */
const PRINTED = Object.freeze({
  [INSPECT](this: AgentContext): object {
    return shown(this);
  },
  toJSON(this: AgentContext): object {
    return shown(this);
  },
});

/** Every context has this shape. The values come from the visit when they are read. */
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
 * The context that an agent gets: frozen, and apart from the visit that it tells of. It is a Proxy because making one
 * costs a tenth of what an object with so many entries does, and reads nothing that the agent does not.
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

/** The logger belongs to whoever runs the graph: an agent that changes it would change it for all. */
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

/** The services as agents see them: no entry can be replaced, and printing them names them only. */
function lentServices(services: Services): Services {
  const prototype: unknown = Object.getPrototypeOf(services);
  if (prototype !== Object.prototype && prototype !== null) return services;
  const known = frozenServices.get(services);
  if (known !== undefined) return known;
  const lent = Object.create(NAMED, Object.getOwnPropertyDescriptors(services)) as Services;
  Object.freeze(lent);
  // Whoever gave an object that is not frozen may still add to it.
  if (Object.isFrozen(services)) frozenServices.set(services, lent);
  return lent;
}

const NAMED = Object.freeze({
  [INSPECT](this: Services): readonly string[] {
    return Object.keys(this);
  },
  // A context that was spread is written without its own `toJSON`, for example as the details of a log's line.
  toJSON(this: Services): readonly string[] {
    return Object.keys(this);
  },
});

/** One parameter at most, with nothing that could reach a second argument. */
const TAKES_INPUTS =
  /^(?:async\s+)?(?:function\b\s*)?(?:[\w$]+\s*)?(?:\(\s*(?:[\w$]+|\{[\w$\s,:]*\})?\s*,?\s*\)|[\w$]+)\s*(?:=>|\{)/;

/** Whether an agent may look at its context. It is asked once a graph, so that other agents need not be given one. */
export function takesContext(agent: object): boolean {
  if (isOurs(agent)) return false;
  const source = Function.prototype.toString.call(agent);
  return !TAKES_INPUTS.test(source) || /\barguments\b|\[native code\]/.test(source);
}
