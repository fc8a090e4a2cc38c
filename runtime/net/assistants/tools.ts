import type { Client, Transport } from "@modelcontextprotocol/client";
import type { Json } from "../../graph/contract/contract.js";
import { AgentError } from "../../graph/contract/errors.js";
import type { ToolRequest, Tools } from "../../graph/contract/services.js";
import { dataOf } from "../../graph/values/values.js";
import { loadPackage, missingPackages, missingText } from "../../optional-packages.js";
import { portOf, readAllowed } from "../allowed.js";
import { readRules } from "../rules.js";
import { createSafeFetch, type NetworkWorld } from "../safe-fetch.js";
import { guardedFetch } from "./guarded-fetch.js";
import { ProgramTransport } from "./program.js";
import { type ServerSource, serverNamed, type ToolServer } from "./servers.js";

const PACKAGE = "@modelcontextprotocol/client";
type Sdk = typeof import("@modelcontextprotocol/client");

export interface ToolsSource {
  /** The section `network`, as it stands in the file. */
  readonly network: unknown;
  readonly servers: ServerSource;
  readonly others: boolean;
  /** The folder of the project, whose packages are used, and where programs are started. */
  readonly root: string;
  /** Removes secrets from what programs say. */
  readonly redact: (text: string) => string;
  readonly world?: NetworkWorld;
}

/** Calls tools of other servers over MCP, each call with a connection of its own. */
export const createTools = (source: ToolsSource): Tools => ({
  call: (request) => connected(request, source, (client) => ask(client, request)),
});

/** What a tool declares: JSON schemas. */
export interface DeclaredTool {
  readonly name: string;
  readonly input: Json;
  readonly output: Json;
}

/** The tools of a server of `mcp.servers`, as it declares them. */
export function declaredTools(
  server: string,
  signal: AbortSignal,
  source: ToolsSource,
): Promise<readonly DeclaredTool[]> {
  return connected({ server, signal }, source, async (client) => {
    const { tools } = await client.listTools(undefined, { signal });
    return tools.map(({ name, inputSchema, outputSchema }) => ({
      name,
      input: dataOf(inputSchema) ?? null,
      output: dataOf(outputSchema) ?? null,
    }));
  });
}

type Request = Pick<ToolRequest, "server" | "signal"> & Partial<Pick<ToolRequest, "tool" | "key">>;

/** Talks to a server over a connection of its own, which is closed afterwards. */
async function connected<T>(
  request: Request,
  source: ToolsSource,
  talk: (client: Client) => Promise<T>,
): Promise<T> {
  const server = serverNamed(request.server, source.servers);
  const sdk = await loadSdk(source.root);
  const { transport, gone } = transportTo(server, request, sdk, source);
  // A client without capabilities can be asked nothing.
  const client = new sdk.Client(
    { name: "flowsheet", version: "1" },
    { capabilities: {}, versionNegotiation: { mode: server.kind === "program" ? "legacy" : "auto" } },
  );
  try {
    const talked = client.connect(transport, optionsOf(request)).then(() => talk(client));
    return await Promise.race([gone, talked]);
  } catch (error) {
    request.signal?.throwIfAborted();
    throw failureOf(error, request);
  } finally {
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
  }
}

async function loadSdk(root: string): Promise<Sdk> {
  const missing = missingPackages([PACKAGE], root);
  if (missing.length > 0) throw new AgentError("agent_failed", missingText(missing));
  return (await loadPackage(PACKAGE, root)) as Sdk;
}

interface Connection {
  readonly transport: Transport;
  /** Rejects when the other side is there no more. */
  readonly gone: Promise<never>;
}

const NEVER = new Promise<never>(() => {});

function transportTo(
  server: ToolServer,
  { key, signal }: Request,
  sdk: Sdk,
  { root, redact, network, others, world = {} }: ToolsSource,
): Connection {
  if (server.kind === "program") {
    const transport = new ProgramTransport(server, root, redact);
    return { transport, gone: transport.gone };
  }
  const { name, url, headers } = server;
  if (!URL.canParse(url)) throw new AgentError("agent_failed", `mcp.servers.${name} has a url that is none`);
  const address = new URL(url);
  // It stands in the configuration, and so may be called.
  const own = readAllowed(`${address.hostname}:${portOf(address)}`);
  const rules = readRules(network, others);
  const allow = own === null ? rules.allow : [...rules.allow, own];
  const send = createSafeFetch({ ...rules, allow }, world);
  const more = key === undefined ? {} : { "idempotency-key": key };
  const fetch = guardedFetch(send, { secrets: headers, headers: more, signal });
  return { transport: new sdk.StreamableHTTPClientTransport(address, { fetch }), gone: NEVER };
}

const optionsOf = ({ signal }: Request) => (signal === undefined ? {} : { signal });

async function ask(client: Client, request: ToolRequest): Promise<Json> {
  const { tool, args, key } = request;
  // The protocol has room for what it does not know in `_meta`.
  const params = { name: tool, arguments: { ...args }, _meta: { "flowsheet/idempotency-key": key } };
  const { content, structuredContent, isError } = await client.callTool(params, {
    ...optionsOf(request),
    timeout: LONGEST_MS,
  });
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  if (isError === true)
    throw new AgentError("agent_failed", `${request.server}.${tool} failed: ${shown(text)}`);
  if (structuredContent === undefined) return text;
  return dataOf(structuredContent) ?? text;
}

/** So long a tool is waited for; nodes may say less. */
const LONGEST_MS = 600_000;
const SHOWN = 500;

const shown = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line || "it does not say why";
};

/** What the library throws becomes words about the server. */
function failureOf(error: unknown, { server, tool }: Request): unknown {
  if (error instanceof AgentError) return error;
  const cause = error instanceof Error && error.cause instanceof AgentError ? error.cause : null;
  if (cause !== null) return cause;
  const why = error instanceof Error ? error.message : String(error);
  const what =
    tool === undefined ? `mcp.servers.${server} cannot be asked` : `${server}.${tool} cannot be called`;
  return new AgentError("agent_failed", `${what}: ${shown(why)}`);
}
