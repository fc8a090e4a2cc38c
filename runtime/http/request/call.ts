import type { IncomingMessage } from "node:http";
import type { Principal } from "../../auth/index.js";
import type { Service } from "../service.js";

/** One request on its way through a route. */
export interface Call {
  readonly service: Service;
  readonly request: IncomingMessage;
  readonly id: string;
  /** In its plain form, decoded, without what the service is mounted under. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly params: ReadonlyMap<string, string>;
  readonly principal: Principal;
  /** Whose share of the service is used: the credential's, and where there is none the address's. */
  readonly caller: string;
  /** Workflows may be shown: reading is allowed to whoever asks. */
  readonly mayRead: boolean;
  /** Aborted when the client has gone. It is made when it is asked for, since that takes long. */
  readonly signal: AbortSignal;
  /** Takes a place among the runs, until the answer or the run that it tells of has ended. */
  readonly takePlace: () => Promise<void>;
}
