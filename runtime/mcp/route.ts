import type { ServerResponse } from "node:http";
import type { McpHttpHandler } from "@modelcontextprotocol/server";
import type { Answer, Headers } from "../http/request/answer.js";
import { mediaType, parseJsonBody, receiveBody } from "../http/request/body.js";
import { dropStalled, EVENT_STREAM } from "../http/request/event-stream.js";
import { checkPage } from "../http/request/same-site.js";
import type { RequestContext, Route } from "../http/route.js";
import { MAX_RUN_MS } from "../http/routes/run-answer.js";
import type { Service } from "../http/service.js";
import { type McpCaller, offering } from "./caller.js";
import { drawnIn } from "./drawn.js";
import { loadSdk } from "./sdk.js";
import { createMcpServer } from "./server.js";

/** One for each service. */
const handlers = new WeakMap<Service, Promise<McpHttpHandler>>();

/** Each message is a request of its own; there are no sessions. What the caller may do is asked for each tool. */
export const createMcpRoute = (path: string): Route => ({
  method: "POST",
  path,
  permission: "read",
  instead: "answer",
  handle: async (context) => {
    const { service, request, signal } = context;
    const { settings, bindHost } = service;
    const { hosts, cors, body_limit: limit } = settings.server;
    checkPage(request, { mode: "served", hosts, bindHost }, cors);
    mediaType(request, ["application/json"]);
    const parsedBody = parseJsonBody(await receiveBody(context, limit));
    const handler = await handlerOf(service);
    const asked = new Request("http://localhost/", {
      method: "POST",
      headers: headersOf(context),
      body: "{}",
      signal,
    });
    const extra = { caller: callerOf(context) };
    const authInfo = { token: "", clientId: context.caller, scopes: [], extra };
    return answerOf(await handler.fetch(asked, { parsedBody, authInfo }), signal);
  },
});

function handlerOf(service: Service): Promise<McpHttpHandler> {
  const known = handlers.get(service);
  if (known !== undefined) return known;
  const made = loadSdk(service.project.root).then((sdk) =>
    sdk.createMcpHandler(({ authInfo }) => createMcpServer(sdk, authInfo?.extra?.["caller"] as McpCaller), {
      // Nothing is told unasked, so no stream need stay open for it.
      maxSubscriptions: 0,
    }),
  );
  handlers.set(service, made);
  return made;
}

/** What the protocol reads. Credentials are none of its business. */
const READ = /^(?:accept|content-type|mcp-.*)$/;

function headersOf({ request }: RequestContext): Headers {
  const given = Object.entries(request.headers).filter(([name]) => READ.test(name));
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

function callerOf(context: RequestContext): McpCaller {
  const { service, principal, graphs, caller, id, signal } = context;
  const { sheetChecks, settings, project } = service;
  return {
    ...{ service, principal, graphs, caller, id, signal, more: [] },
    takeSlot: context.takeSlot,
    endsWithClient: project.keeping.onDisconnect === "cancel",
    patienceMs: MAX_RUN_MS,
    isShown: offering(settings.server.mcp.workflows),
    validate: async (csv, gone) =>
      JSON.parse(await sheetChecks.check({ caller, bytes: Buffer.from(csv), signal: gone })) as object,
    inspect: async ({ csv, graph, format }, gone) =>
      drawnIn(
        await sheetChecks.check({ caller, bytes: Buffer.from(csv), draw: { graph, format }, signal: gone }),
      ),
    during: (call) => call,
  };
}

/** An answer of the protocol: one JSON text, or events up to the result. */
async function answerOf(web: Response, signal: AbortSignal): Promise<Answer> {
  const { status } = web;
  const type = web.headers.get("content-type") ?? "application/json";
  if (!type.startsWith(EVENT_STREAM)) return { kind: "text", status, type, text: await web.text() };
  let end = (): void => {};
  const until = new Promise<void>((resolve) => {
    end = resolve;
  });
  // A client that has gone is written nothing.
  signal.addEventListener("abort", () => end());
  return {
    kind: "stream",
    until,
    write: async (response, headers) => {
      // Not with the others, which nobody can ask for afterwards.
      response.setHeader("Content-Type", EVENT_STREAM);
      response.writeHead(status, { ...headers, "X-Accel-Buffering": "no" });
      dropStalled(response);
      for await (const part of web.body ?? []) await writePart(response, part);
      response.end();
      end();
    },
  };
}

/** A client that reads slowly is waited for; one that has gone is not. */
async function writePart(response: ServerResponse, part: Uint8Array): Promise<void> {
  if (response.destroyed || response.write(part)) return;
  await new Promise<void>((resolve) => {
    response.once("drain", resolve);
    response.once("close", resolve);
  });
}
