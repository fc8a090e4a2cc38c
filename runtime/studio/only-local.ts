import { HttpProblem } from "../http/request/problem.js";
import type { RequestContext } from "../http/route.js";
import type { Workshop } from "./workshop.js";

/** What a server must not do for others: there is nothing at the path then. */
export function mustBeLocal({ service: { studio } }: RequestContext): void {
  if (studio?.mode !== "local") throw new HttpProblem("route_not_found");
}

/** What only the Studio of one machine is given. */
export function workshopOf({ service: { studio } }: RequestContext): Workshop {
  if (studio?.mode !== "local" || studio.workshop === null) throw new HttpProblem("route_not_found");
  return studio.workshop;
}
