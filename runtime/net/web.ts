import { AgentError, asksToWait } from "../graph/contract/errors.js";
import type { Web, WebAnswer, WebCall } from "../graph/contract/services.js";
import { isNamed, readAllowed } from "./allowed.js";
import { valueOfAnswer } from "./answer-value.js";
import { type Connection, type ConnectionSource, connectionNamed } from "./connections.js";
import type { Headers } from "./exchange.js";
import { NetworkError } from "./network-error.js";
import { sendNotice } from "./notices.js";
import { retryAfter } from "./retry-after.js";
import { readRules } from "./rules.js";
import { createSafeFetch, type NetworkAnswer, type NetworkWorld, type SafeFetch } from "./safe-fetch.js";

export interface WebSource {
  /** The section `network`, as it stands in the file. */
  readonly network: unknown;
  readonly connections: ConnectionSource;
  /** False: only listed hosts are called. */
  readonly others: boolean;
  readonly world?: NetworkWorld;
  /** Headers that name the trace, for hosts that the configuration lists: others are told nothing of it. */
  readonly trace?: (() => Headers) | undefined;
}

/** The hosts outside, as the configuration lets agents reach them. */
export function createWeb({ network, connections, others, world = {}, trace }: WebSource): Web {
  const rules = readRules(network, others);
  const send = createSafeFetch(rules, world);
  const tracing: Tracing = (url, isOwn) =>
    trace !== undefined && (isOwn || (URL.canParse(url) && isNamed(new URL(url), rules.allow)))
      ? trace()
      : {};
  return {
    call: (request) => call(send, request, { source: connections, tracing }),
    notify: (notice) => sendNotice(send, notice, connections),
  };
}

/** The headers of the trace for an address, which may be the connection's own. */
type Tracing = (url: string, isOwn: boolean) => Headers;

interface Outside {
  readonly source: ConnectionSource;
  readonly tracing: Tracing;
}

async function call(send: SafeFetch, request: WebCall, { source, tracing }: Outside): Promise<WebAnswer> {
  const connection =
    request.connection === undefined
      ? null
      : connectionNamed(request.connection, ["bearer", "basic", "header"], source);
  const { method, body, maxBytes, timeoutMs, signal } = request;
  const url = addressOf(request.url, connection);
  const isConfigured = (connection?.host ?? null) !== null;
  const headers = { ...tracing(url, isConfigured), ...request.headers };
  const secrets = connection === null ? {} : credentialOf(connection);
  const sent = { url, method, headers, secrets, body, isConfigured };
  const answer = await send({ ...sent, maxBytes, timeoutMs, signal });
  const host = new URL(answer.url).host;
  if (!isExpected(answer.status, request.expect)) throw unexpected(answer, host);
  const { status, parse } = { ...answer, ...request };
  return {
    status,
    headers: answer.headers,
    url: answer.url,
    value: valueOfAnswer({ ...answer, host, parse }),
    bytes: answer.body.length,
  };
}

const isExpected = (status: number, expect: readonly number[] | undefined): boolean =>
  expect === undefined ? status >= 200 && status < 300 : expect.includes(status);

/** A path belongs to the connection's host. The secret goes to that host alone. */
function addressOf(url: string, connection: Connection | null): string {
  const host = connection?.host ?? null;
  if (url.startsWith("/") && !url.startsWith("//")) {
    if (host === null)
      throw new NetworkError("bad-request", "an address that is a path needs a connection with a host");
    return `https://${host}${url}`;
  }
  const named = host === null ? null : readAllowed(host);
  if (host !== null && (named === null || !URL.canParse(url) || !isNamed(new URL(url), [named])))
    throw new NetworkError("refused", `connections.${connection?.name} is for ${host} alone`);
  return url;
}

function credentialOf({ kind, values }: Connection): Headers {
  if (kind === "bearer") return { authorization: `Bearer ${values["token"]}` };
  if (kind === "header") return { [String(values["name"])]: String(values["value"]) };
  const pair = Buffer.from(`${values["username"]}:${values["password"]}`).toString("base64");
  return { authorization: `Basic ${pair}` };
}

const SHOWN = 200;

function unexpected({ status, headers, body }: NetworkAnswer, host: string): AgentError {
  const said = body
    .subarray(0, 4 * SHOWN)
    .toString("utf8")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, SHOWN);
  const message = `${host} answered ${status}${said === "" ? "" : `: ${said}`}`;
  return asksToWait(new AgentError("agent_failed", message), retryAfter(headers["retry-after"]));
}
