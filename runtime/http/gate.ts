import type { IncomingMessage } from "node:http";
import type { Principal } from "./call.js";
import type { HttpProblem } from "./problem.js";
import type { Permission } from "./route.js";

/** A request target in its plain form. */
export interface Target {
  /** Percent-encoding is kept as it came. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export interface Asking {
  readonly request: IncomingMessage;
  readonly target: Target;
  /** The path that public entries are compared with. */
  readonly publicPath: string;
  readonly permission: Permission;
}

/** Who comes in, or why not. */
export type Admission =
  | { readonly kind: "admitted"; readonly principal: Principal | null; readonly mayRead: boolean }
  | { readonly kind: "refused"; readonly problem: HttpProblem };

/** Decides who may use a route. */
export interface Gate {
  readonly admit: (asking: Asking) => Admission | Promise<Admission>;
}
