import { z } from "zod";
import { answersJson, answersText } from "../openapi/operation.js";
import { json, text } from "../request/answer.js";
import { HttpProblem } from "../request/problem.js";
import type { Route } from "../route.js";

const healthBody = z
  .object({
    status: z.enum(["ok", "degraded"]).meta({ description: "degraded: runs can be neither kept nor read." }),
    service: z.literal("flowsheet"),
    version: z.string(),
    uptime_s: z.number(),
    workflows: z.int(),
  })
  .meta({ id: "Health" });

export const health: Route = {
  method: "GET",
  path: "/health",
  permission: "read",
  always: true,
  operation: {
    summary: "Whether the service is up",
    tag: "service",
    answers: { "200": answersJson(healthBody, "It is.") },
  },
  handle: async ({ service: { catalogue, version, began, runner } }) =>
    json({
      status: (await runner.trouble()) === null ? "ok" : "degraded",
      service: "flowsheet",
      version,
      uptime_s: Math.round((performance.now() - began) / 100) / 10,
      workflows: catalogue.list().length,
    }),
};

const readinessCheck = z
  .object({ name: z.string(), ok: z.boolean(), help: z.string().nullable() })
  .meta({ id: "ReadinessCheck" });
const readyBody = z.object({ ready: z.boolean(), checks: z.array(readinessCheck) }).meta({ id: "Readiness" });

export const ready: Route = {
  method: "GET",
  path: "/ready",
  permission: "read",
  publicAs: "/health",
  always: true,
  operation: {
    summary: "Whether runs would find what they need",
    tag: "service",
    answers: {
      "200": answersJson(readyBody, "They would."),
      "503": answersJson(readyBody, "They would not: `help` of a check says what to do."),
    },
  },
  handle: async ({ service: { readiness } }) => {
    const found = await readiness();
    return json(found, found.ready ? 200 : 503);
  },
};

export const metrics: Route = {
  method: "GET",
  path: "/metrics",
  permission: "admin",
  operation: {
    operationId: "metrics",
    summary: "Counters for Prometheus",
    tag: "service",
    answers: { "200": answersText("text/plain", "Prometheus text.") },
  },
  handle: async ({ service, graphs }) => {
    // The numbers name every graph.
    if (graphs !== null)
      throw new HttpProblem("permission_denied", { detail: "This key is limited to graphs." });
    return text("text/plain; version=0.0.4; charset=utf-8", await service.metrics.text());
  },
};
