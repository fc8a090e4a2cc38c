import { z } from "zod";
import { createCallWindows } from "../auth/call-windows.js";
import { networkOf } from "../auth/network.js";
import { namesOf } from "../graph/suspend/answerer.js";
import { answersJson } from "../http/openapi/operation.js";
import { json } from "../http/request/answer.js";
import { readJson } from "../http/request/body.js";
import { HttpProblem } from "../http/request/problem.js";
import type { RequestContext, Route } from "../http/route.js";
import { answererOf } from "../http/run-access.js";

const CAN = ["read", "write", "execute", "answer"] as const;

const sessionBody = z
  .object({
    mode: z.enum(["local", "served"]),
    version: z.string(),
    who: z.string(),
    can: z.array(z.enum(CAN)),
    asked_as: z
      .array(z.string())
      .nullable()
      .meta({ description: "Which assignees the caller is one of; null: every one." }),
    features: z.object({
      module: z.boolean(),
      tests: z.boolean(),
      debug: z.boolean(),
      history: z.boolean().meta({ description: "Runs are kept, and can be looked at when they have ended." }),
    }),
    save: z.enum(["each", "review"]),
  })
  .meta({ id: "StudioSession" });

export const session: Route = {
  method: "GET",
  path: "/studio/api/session",
  permission: "read",
  instead: "answer",
  operation: {
    operationId: "studioSession",
    summary: "Who asks, and what they may do",
    tag: "studio",
    answers: { "200": answersJson(sessionBody, "What the page may offer.") },
  },
  handle: ({ service, principal }) => {
    const { studio, version, runner } = service;
    const mode = studio?.mode ?? "served";
    return json({
      mode,
      version,
      who: principal.userId ?? principal.name,
      can: CAN.filter((one) => principal.permissions.has(one) && (one !== "write" || studio?.may === "edit")),
      asked_as: answererOf({ principal }).isAdmin ? null : namesOf(answererOf({ principal })),
      features: {
        module: studio?.workshop != null,
        ...{ tests: mode === "local", debug: mode === "local", history: runner.keepsAll },
      },
      save: mode === "local" ? "each" : "review",
    });
  },
};

const codeBody = z.strictObject({ code: z.string() });

/** So many wrong codes of one network are answered in a minute. */
const MOST_WRONG = 20;
const countWrong = createCallWindows(60_000, 1_000);

/** Only for the Studio of one machine, and not for other programs: it stands in no description. */
export const openSession: Route = {
  method: "POST",
  path: "/studio/api/session",
  permission: "read",
  isOpen: true,
  handle: async (context) => {
    const secret = context.service.studio?.secret ?? null;
    if (secret === null) throw new HttpProblem("route_not_found");
    const { code } = await readJson(context, codeBody);
    if (!secret.useCode(code)) throw wrongCode(context);
    return json({ token: secret.token });
  },
};

function wrongCode({ request }: RequestContext): HttpProblem {
  const { count, seconds } = countWrong(networkOf(request.socket.remoteAddress), performance.now());
  if (count > MOST_WRONG)
    return new HttpProblem("rate_limited", { headers: { "Retry-After": `${seconds}` } });
  const detail = "The code was used, or is too old: take the address that flowsheet studio has printed.";
  return new HttpProblem("credential_invalid", { detail });
}
