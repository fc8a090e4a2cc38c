import { randomUUID } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Request, type Response, Router } from "express";
import type { Logger } from "../graph/contract/contract.js";
import { FlowsheetError } from "../graph/contract/errors.js";
import type { Exchange } from "./client-gone.js";
import { answerHalfClosed } from "./half-closed.js";
import type { Handler } from "./handler.js";
import { describeProblem, HttpProblem, type ProblemCode } from "./request/problem.js";
import type { Service } from "./service.js";

export interface Listening {
  readonly host: string;
  readonly port: number;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** Refuses new requests, and resolves when the open ones are done or the time is over. */
  readonly stop: (graceMs: number) => Promise<void>;
}

export class ListenError extends FlowsheetError {
  readonly help: string | null;
  constructor(message: string, help: string | null = null) {
    super("cannot_listen", message);
    this.help = help;
  }
}

/**
 * The router of Express without its application: that would change the prototypes of requests and responses, which V8
 * makes slow.
 */
export function createListener(handler: Handler, log: Logger): RequestListener {
  const router = Router({ caseSensitive: true, strict: true });
  router.use((request, response) => handler(request, response));
  return (request, response) => {
    const end = (error: unknown): void => {
      log.error("an answer could not be written", error);
      response.destroy();
    };
    const next = (error?: unknown): void => {
      if (error !== undefined && error !== null) end(error);
      // The router finds no path in a target such as foo://x. The handler refuses it.
      else handler(request, response).catch(end);
    };
    router(request as Request, response as Response, next);
  };
}

const SLOW_HEADERS_MS = 5_000;
const SLOW_REQUEST_MS = 10_000;
const MAX_HEADERS = 16 * 1024;
const MAX_CONNECTIONS = 10_000;
/**
 * The queue for new connections. With Node's default of 511, a larger burst loses SYN packets, which clients repeat
 * only after 1, 3 or 7 seconds.
 */
const BACKLOG = 4_096;

/** Starts to listen. All limits are set before the first request. */
export async function startServer(
  listener: RequestListener,
  service: Service,
  { host, port }: Listening,
): Promise<RunningServer> {
  const server = createServer(
    {
      headersTimeout: SLOW_HEADERS_MS,
      requestTimeout: SLOW_REQUEST_MS,
      connectionsCheckingInterval: 500,
      maxHeaderSize: MAX_HEADERS,
      keepAliveTimeout: 5_000,
      // The handler checks it, so that the answer has the usual form.
      requireHostHeader: false,
    },
    listener,
  );
  server.maxConnections = MAX_CONNECTIONS;
  // Node drops headers after the 2,000th, which could hide a second key. Their total size is limited anyway.
  server.maxHeadersCount = 0;
  // Unknown expectations may be ignored. Without this listener Node answers them itself.
  server.on("checkExpectation", countAnswer);
  server.on("checkExpectation", listener);
  server.on("request", countAnswer);
  server.on("clientError", refuseRaw);
  server.on("connection", dropSilent);
  answerHalfClosed(server, currentAnswer);
  server.on("connect", (_request, socket: Socket) => {
    // Node no longer listens to this connection, so its errors must be handled here.
    socket.on("error", () => socket.destroy());
    refuseRaw(Object.assign(new Error(), { code: "method_not_allowed" }), socket);
  });
  await listen(server, { host, port });
  const { port: taken } = server.address() as AddressInfo;
  const shown = host.includes(":") ? `[${host}]` : host;
  return { url: `http://${shown}:${taken}`, port: taken, stop: (graceMs) => stop(server, service, graceMs) };
}

function listen(server: Server, { host, port }: Listening): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(listenError(error, { host, port })));
    server.listen(port, host, BACKLOG, resolve);
  });
}

function listenError(error: Error, { host, port }: Listening): ListenError {
  const code = "code" in error ? error.code : "";
  if (code === "EADDRINUSE")
    return new ListenError(
      `port ${port} of ${host} is taken`,
      "choose another one with --port, or stop what listens there",
    );
  if (code === "EACCES")
    return new ListenError(`port ${port} may not be used`, "ports from 1024 on need no rights");
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return new ListenError(
      `this machine has no address ${host}`,
      "127.0.0.1 is for this machine, 0.0.0.0 for all",
    );
  return new ListenError(`cannot listen at ${host}:${port}: ${error.message}`);
}

const RAW: { readonly [code: string]: ProblemCode } = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
  method_not_allowed: "method_not_allowed",
};

/** Node has no time-out for connections that send nothing or only line ends. */
function dropSilent(socket: Socket): void {
  const timer = setTimeout(() => {
    if (!openAnswers.has(socket)) socket.destroy();
  }, SLOW_REQUEST_MS);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
}

/** The time for a client to read its answer. Then the server closes the connection. */
const ENDING_MS = 1_000;

interface OpenAnswers {
  /** In the order of their requests: the first one is being written. */
  readonly answers: Set<Exchange>;
  last: Exchange;
  /** The connection ends after the last answer. */
  isEnding: boolean;
}

const openAnswers = new WeakMap<Socket, OpenAnswers>();

function countAnswer(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  const last = { request, response };
  const known = openAnswers.get(socket) ?? { answers: new Set(), last, isEnding: false };
  openAnswers.set(socket, known);
  known.answers.add(last);
  known.last = last;
  response.once("close", () => {
    known.answers.delete(last);
    if (known.answers.size === 0 && known.isEnding) endConnection(socket);
  });
}

function currentAnswer(socket: Socket): Exchange | undefined {
  const [current] = openAnswers.get(socket)?.answers ?? [];
  return current;
}

/**
 * Invalid data after valid requests must not spoil their answers: the connection ends after them. When the last
 * request itself is incomplete, nothing is awaited. True when nothing must be written.
 */
function isAnswering(socket: Socket): boolean {
  const known = openAnswers.get(socket);
  if (known === undefined || known.answers.size === 0) return false;
  const { request, response } = known.last;
  if (request.complete) known.isEnding = true;
  else if (known.answers.size > 1 || response.headersSent) socket.destroy();
  else return false;
  return true;
}

/** Answers data that is no valid request. */
function refuseRaw(error: Error, socket: Socket): void {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (!socket.writable || code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  if (isAnswering(socket)) return;
  const problem = new HttpProblem(RAW[code] ?? "request_invalid");
  const id = randomUUID();
  const body = JSON.stringify(describeProblem(problem, { path: "", id }));
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    "Cache-Control: no-store",
    `X-Request-Id: ${id}`,
    "X-Content-Type-Options: nosniff",
    "Vary: X-API-Key, Authorization",
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(problem.status === 405 ? ["Allow: GET, HEAD, POST"] : []),
    "Connection: close",
  ];
  endConnection(socket, `${head.join("\r\n")}\r\n\r\n${body}`);
}

/** Ends a connection. A client that never closes would keep it open, with the slot of its run. */
function endConnection(socket: Socket, answer = ""): void {
  socket.end(answer);
  const timer = setTimeout(() => socket.destroy(), ENDING_MS);
  socket.once("close", () => clearTimeout(timer));
}

/** The time for open answers and aborted runs. */
const MOMENT_MS = 500;

/** Lets accepted runs end. New requests on open connections are refused. */
async function stop(server: Server, service: Service, graceMs: number): Promise<void> {
  service.slots.close();
  // `Server.close` of HTTP also drops idle connections, whose next request would then get no answer.
  const closed = new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()));
  await waitAtMost(graceMs, service.slots.idle());
  server.closeIdleConnections();
  await waitAtMost(Math.min(MOMENT_MS, graceMs), closed);
  // Closing the connections aborts the remaining runs, which log it.
  server.closeAllConnections();
  await waitAtMost(MOMENT_MS, service.slots.idle());
}

async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, sleep(ms, undefined, { signal: over.signal }).catch(() => {})]);
  over.abort();
}
