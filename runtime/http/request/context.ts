import type { IncomingRequest } from "../../auth/request.js";
import type { Service } from "../service.js";

/** An authorized request, for its route. */
export interface RequestContext {
  readonly service: Service;
  readonly request: IncomingRequest;
  /** In canonical form, below the base path. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The decoded parameters of the path. */
  readonly params: ReadonlyMap<string, string>;
  /** The key for limits: the credential, or without one the address. */
  readonly caller: string;
  /** The client has the permission to read, so workflows may be shown. */
  readonly mayRead: boolean;
  /** Aborted when the client closes. Created on first use, because that is slow. */
  readonly signal: AbortSignal;
  /** Takes a slot for runs. It is freed when the answer or the streamed run ends. */
  readonly takeSlot: () => Promise<void>;
}
