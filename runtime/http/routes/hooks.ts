import { createHash } from "node:crypto";
import { z } from "zod";
import { HEADERS_FIELD } from "../../../compiler/types/webhook.js";
import type { Json } from "../../graph/contract/contract.js";
import { readRequest, type StartWords, type Wish } from "../../runs/request.js";
import { WorkflowError } from "../../workflows/workflow-error.js";
import { claimOf, wrongSignature } from "../hooks/proof.js";
import { hookOf, type ServedHook } from "../hooks/served-hooks.js";
import { answersJson } from "../openapi/operation.js";
import { type Answer, json } from "../request/answer.js";
import { mediaType, parseJsonBody, receiveBody } from "../request/body.js";
import { HttpProblem } from "../request/problem.js";
import { replayed } from "../request/start-key.js";
import type { RequestContext, Route } from "../route.js";
import { checkWaiting, startProblem } from "./execute.js";
import { accept, answerKept, placeOf } from "./kept-answer.js";
import { fields, MAX_RUN_MS, RUN_PROBLEMS, runResult } from "./run-answer.js";
import { accepted } from "./run-schemas.js";

const ofHeader = (name: string, description: string) =>
  ({ name, in: "header", description, schema: { type: "string" } }) as const;

/** Begins the run of a graph that has a webhook. What proves the sender is the webhook's own matter. */
export const hooks: Route = {
  method: "POST",
  path: "/hooks/{hook*}",
  permission: "execute",
  isOpen: true,
  operation: {
    operationId: "hook",
    summary: "Begin the workflow of a webhook",
    tag: "runs",
    names: "The path of the webhook.",
    headers: [
      ofHeader("webhook-id", "The id of the message. The same one once more begins nothing."),
      ofHeader("webhook-timestamp", "Seconds since 1970, at most 300 away."),
      ofHeader("webhook-signature", "`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64."),
      ofHeader(
        "X-Hub-Signature-256",
        "Where the scheme is `github`: `sha256=` and the HMAC-SHA256 of the body.",
      ),
      ofHeader("Idempotency-Key", "Where nothing is signed: the same one once more begins nothing."),
    ],
    body: { "application/json": { schema: fields } },
    answers: {
      "200": answersJson(
        z.union([runResult, accepted]),
        "The result, where the webhook gives it; or the run that the same message has begun before.",
      ),
      "202": answersJson(z.union([runResult, accepted]), "The run has begun, or waits for an answer."),
    },
    problems: [
      ...RUN_PROBLEMS,
      "route_not_found",
      "signature_invalid",
      "webhook_unusable",
      "store_unwritable",
    ],
  },
  handle: async (context) => {
    const hook = findHook(context);
    const { request, service } = context;
    const claim = claimOf(hook.webhook, hook.key, request.rawHeaders);
    const bytes = await rawBody(context);
    if (!claim.holds(bytes)) throw wrongSignature();
    const body = parseJsonBody(bytes) as { readonly [name: string]: Json };
    const id = claim.id(bytes);
    if (hook.webhook.answer === "result") await context.takeSlot();
    await checkWaiting(service);
    return begin(context, hook, { given: givenOf(hook, body, request.headers), id });
  },
};

function findHook({ service, params }: RequestContext): ServedHook {
  const path = `/${params.get("hook")}`;
  const claiming = service.hookOwners(path, service.catalogue.atHook(path));
  const found = hookOf(claiming, service.variables());
  if (found === null) throw new HttpProblem("route_not_found");
  if (!("lacks" in found)) return found;
  service.log.error(`the webhook ${path} cannot be used: ${found.lacks}`);
  throw new HttpProblem("webhook_unusable");
}

/** As it was sent: what a signature is of. */
function rawBody(context: RequestContext): Promise<Buffer> {
  mediaType(context.request, ["application/json"]);
  const encoding = context.request.headers["content-encoding"] ?? "identity";
  if (encoding.trim().toLowerCase() !== "identity")
    throw new HttpProblem("media_type_unsupported", { detail: "send it without compression", close: true });
  return receiveBody(context, context.service.settings.server.body_limit);
}

/** What the graph reads of the body. A sender may tell more than that. */
function givenOf(
  { workflow, webhook }: ServedHook,
  body: { readonly [name: string]: Json },
  headers: RequestContext["request"]["headers"],
): { readonly [field: string]: Json } {
  const wanted = workflow.ir.fields.filter(({ input }) => input !== null).map(({ name }) => name);
  const chosen = webhook.headers.flatMap((name): [string, Json][] => {
    const value = headers[name];
    return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]];
  });
  return Object.fromEntries(
    wanted.flatMap((name): [string, Json][] => {
      if (name === HEADERS_FIELD) return [[name, Object.fromEntries(chosen)]];
      return Object.hasOwn(body, name) ? [[name, body[name] as Json]] : [];
    }),
  );
}

interface Message {
  readonly given: { readonly [field: string]: Json };
  readonly id: string | null;
}

async function begin(context: RequestContext, hook: ServedHook, message: Message): Promise<Answer> {
  const { workflow, webhook } = hook;
  const { log } = context.service;
  const givesResult = webhook.answer === "result";
  const wish = readRequest({
    csvPath: workflow.source,
    graphName: workflow.graphName,
    initialState: message.given,
    timeoutMs: givesResult ? MAX_RUN_MS : undefined,
  });
  const key = message.id === null ? null : keyOf(webhook.path, message.id);
  const words = { key, userId: null, startedBy: `webhook:${webhook.path}`, keyAlone: true };
  try {
    return await (givesResult ? answerResult(context, wish, words) : answerAccepted(context, wish, words));
  } catch (error) {
    const problem = startProblem(error, workflow, "");
    if (!(error instanceof WorkflowError)) throw problem;
    // A stranger is not told what is wrong with a sheet.
    log.error(`the webhook ${webhook.path} cannot be used: ${error.message}`);
    throw new HttpProblem("webhook_unusable");
  }
}

/** A key of the store. A long id has a digest in its place. */
function keyOf(path: string, id: string): string {
  const short = id.length <= 128 ? id : `sha256:${createHash("sha256").update(id).digest("hex")}`;
  return `webhook:${path}:${short}`;
}

async function answerAccepted(context: RequestContext, wish: Wish, words: StartWords): Promise<Answer> {
  const { runner } = context.service;
  const opened = runner.graphs.known(wish) ?? (await runner.graphs.open(wish));
  const { created, run } = await runner.start(opened, wish, words);
  if (created) return accept(context, run);
  const { runId, status } = run;
  return json({ run_id: runId, status }, 200, { ...replayed(false), Location: placeOf(context, run) });
}

/** The run goes on when its sender does not wait. */
async function answerResult(context: RequestContext, wish: Wish, words: StartWords): Promise<Answer> {
  const { runner, works } = context.service;
  const opened = runner.graphs.known(wish) ?? (await runner.graphs.open(wish));
  const begun = works ? await runner.begin(opened, wish, words) : await runner.start(opened, wish, words);
  const headers = replayed(begun.created);
  const made = await answerKept(context, { ...begun, after: 0, endsWithClient: false, headers });
  return begun.created || made.kind === "stream" ? made : { ...made, status: 200 };
}
