import { json } from "../request/answer.js";
import type { Route } from "../route.js";

export const ready: Route = {
  method: "GET",
  path: "/ready",
  permission: "read",
  publicAs: "/health",
  always: true,
  handle: async ({ service: { readiness } }) => {
    const found = await readiness();
    return json(found, found.ready ? 200 : 503);
  },
};
