import type { IncomingRequest } from "../../auth/request.js";
import type { Service } from "../service.js";

/** A request that may use its route, as the route sees it. */
export interface RequestContext {
  readonly service: Service;
  readonly request: IncomingRequest;
  /** In its plain form, without what the service is mounted under. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The parts of the path in braces, decoded. */
  readonly params: ReadonlyMap<string, string>;
  /** Whose share of the service is used: the credential's, and where there is none the address's. */
  readonly caller: string;
  /** Workflows may be shown: reading is allowed to whoever asks. */
  readonly mayRead: boolean;
  /** Aborted when the client has gone. It is made when it is asked for, since that takes long. */
  readonly signal: AbortSignal;
  /** Takes one of the slots for runs, until the answer or the run that it tells of has ended. */
  readonly takeSlot: () => Promise<void>;
}
