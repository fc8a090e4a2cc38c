import { resolve } from "node:path";
import { ConfigurationError, type Project, readProject } from "./config/folders.js";
import type { Services } from "./graph/contract/contract.js";
import { AgentError } from "./graph/contract/errors.js";
import { type Environment, host } from "./host.js";
import { lazily } from "./lazy.js";
import { createRedactor } from "./runs/redact.js";
import { lazyStorage } from "./storage/lazy-storage.js";

export interface ServiceOptions {
  readonly project: {
    readonly root: string;
    readonly data: string;
    readonly configuration: { readonly [section: string]: unknown };
  };
  readonly env: Environment;
  /** Removes secrets from messages. */
  readonly redact: (message: string) => string;
}

type Makers = { readonly [N in "llm" | "storage"]: () => NonNullable<Services[N]> };

/** Each service is created when an agent first asks for it. Given services come first. */
export function createServices(options: ServiceOptions, given: Services = {}): Services {
  const { project, env, redact } = options;
  const { root, data, configuration } = project;
  const makers: Makers = {
    llm: () => {
      const given = { section: configuration["llm"], env, root, redact };
      const models = lazily(async () =>
        (await import("./llm/language-models.js")).createLanguageModels(given),
      );
      return { generate: async (request, call) => (await models()).generate(request, call) };
    },
    storage: () => lazyStorage(data),
  };
  return made(makers, given);
}

function made(makers: Makers, given: Services): Services {
  const services = { ...given };
  for (const [name, make] of Object.entries(makers)) {
    if (Object.hasOwn(given, name)) continue;
    let service: unknown;
    const get = (): unknown => {
      service ??= make();
      return service;
    };
    Object.defineProperty(services, name, { get, enumerable: true });
  }
  return Object.freeze(services);
}

const known = new Map<string, Services>();

/** The services of the project that a folder belongs to, with the environment of the process. */
export function servicesFor(folder: string): Services {
  const cwd = resolve(folder);
  const found = known.get(cwd);
  if (found !== undefined) return found;
  const project = projectOf(cwd);
  const { env } = host;
  const services = createServices({ project, env, redact: createRedactor(env, project.configuration) });
  known.set(cwd, services);
  return services;
}

/** An unreadable configuration is an error of the node that needs it. */
function projectOf(cwd: string): Project {
  try {
    return readProject(cwd, null);
  } catch (thrown) {
    if (!(thrown instanceof ConfigurationError)) throw thrown;
    const { file, line, column, message } = thrown;
    const at = line === null ? "" : `:${line}:${column}`;
    throw new AgentError("agent_failed", `cannot read the configuration ${file}${at}: ${message}`);
  }
}
