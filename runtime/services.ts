import { resolve } from "node:path";
import { withEnvFile } from "./config/environment.js";
import { ConfigurationError, type Project, readProject } from "./config/folders.js";
import type { Services } from "./graph/contract/contract.js";
import { AgentError } from "./graph/contract/errors.js";
import { type Environment, host } from "./host.js";
import { lazily, once } from "./lazy.js";
import type { Telemetry } from "./otel/contract.js";
import { createRedactor } from "./runs/redact.js";
import { lazyStorage } from "./storage/lazy-storage.js";

interface ServiceOptions {
  readonly project: Pick<Project, "root" | "data" | "configuration">;
  readonly env: Environment;
  /** Removes secrets from messages. */
  readonly redact: (message: string) => string;
  /** What others begin may call only hosts that `network.allow` lists. */
  readonly onlyListedHosts?: boolean | undefined;
  /** Traces calls of models, and names the trace to hosts that the configuration lists. */
  readonly telemetry?: Telemetry | null;
}

/** What a service needs is loaded when an agent first asks for it. Given services come first. */
export function createServices(
  { project, env, redact, onlyListedHosts = false, telemetry = null }: ServiceOptions,
  given: Services = {},
): Services {
  const { root, data, configuration } = project;
  const variables = once(() => withEnvFile(env, root));
  const models = lazily(async () => {
    const { createLanguageModels } = await import("./llm/language-models.js");
    const own = createLanguageModels({ section: configuration["llm"], env: variables(), root, redact });
    return telemetry?.models(own) ?? own;
  });
  const web = lazily(async () => {
    const { createWeb } = await import("./net/web.js");
    const { network, connections: section } = configuration;
    const trace = telemetry === null ? undefined : () => telemetry.headers();
    return createWeb({
      network,
      connections: { section, env: variables() },
      others: !onlyListedHosts,
      trace,
    });
  });
  const mail = lazily(async () => {
    const { createMail } = await import("./net/mail.js");
    const { network, connections: section } = configuration;
    return createMail({
      network,
      connections: { section, env: variables() },
      others: !onlyListedHosts,
      data,
      root,
    });
  });
  const sql = lazily(async () => {
    const { createDatabases } = await import("./net/databases/databases.js");
    return createDatabases({
      connections: { section: configuration["connections"], env: variables() },
      data,
      root,
    });
  });
  const tools = lazily(async () => {
    const { createTools } = await import("./net/assistants/tools.js");
    const { network, mcp: section } = configuration;
    return createTools({
      network,
      servers: { section, env: variables() },
      others: !onlyListedHosts,
      root,
      redact,
    });
  });
  const own: Services = {
    mcp: { call: async (request) => (await tools()).call(request) },
    sql: { run: async (call) => (await sql()).run(call) },
    mail: { send: async (message) => (await mail()).send(message) },
    llm: { generate: async (request, call) => (await models()).generate(request, call) },
    storage: lazyStorage(data),
    web: {
      call: async (request) => (await web()).call(request),
      notify: async (notice) => (await web()).notify(notice),
    },
  };
  return Object.freeze({ ...own, ...given });
}

const known = new Map<string, Services>();

/** The services of the project that a folder belongs to, with the environment of the process. */
export function servicesFor(folder: string): Services {
  const cwd = resolve(folder);
  const found = known.get(cwd);
  if (found !== undefined) return found;
  const { env } = host;
  const project = projectOf(cwd, env);
  const services = createServices({ project, env, redact: createRedactor(env, project) });
  known.set(cwd, services);
  return services;
}

/** An unreadable configuration is an error of the node that needs it. */
function projectOf(cwd: string, env: Environment): Project {
  try {
    return readProject(cwd, null, env);
  } catch (thrown) {
    if (!(thrown instanceof ConfigurationError)) throw thrown;
    const { file, line, column, message } = thrown;
    const at = line === null ? "" : `:${line}:${column}`;
    throw new AgentError("agent_failed", `cannot read the configuration ${file}${at}: ${message}`);
  }
}
