import { json } from "../request/answer.js";
import type { Route } from "../route.js";

export const health: Route = {
  method: "GET",
  path: "/health",
  permission: "read",
  always: true,
  handle: ({ service: { catalogue, version, began } }) =>
    json({
      status: "ok",
      service: "flowsheet",
      version,
      uptime_s: Math.round((performance.now() - began) / 100) / 10,
      workflows: catalogue.list().length,
    }),
};
