import type { IncomingMessage } from "node:http";
import type { Service } from "./service.js";

/** Who presents a credential. */
export interface Principal {
  /** The key's or the token's name; never the credential itself. */
  readonly name: string;
  readonly userId: string;
  readonly permissions: ReadonlySet<string>;
}

/** One request on its way through a route. */
export interface Call {
  readonly service: Service;
  readonly request: IncomingMessage;
  readonly id: string;
  /** In its plain form, decoded, without what the service is mounted under. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly params: ReadonlyMap<string, string>;
  /** Null on a public path without a valid credential. */
  readonly principal: Principal | null;
  /** Workflows may be shown: reading is allowed to whoever asks. */
  readonly mayRead: boolean;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}
