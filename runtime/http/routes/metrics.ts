import { text } from "../request/answer.js";
import type { Route } from "../route.js";

export const metrics: Route = {
  method: "GET",
  path: "/metrics",
  permission: "admin",
  handle: async ({ service }) =>
    text("text/plain; version=0.0.4; charset=utf-8", await service.metrics.text()),
};
