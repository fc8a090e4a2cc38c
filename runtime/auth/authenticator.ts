import { visible } from "../../compiler/diagnostics/visible.js";
import type { Logger } from "../graph/contract/contract.js";
import { type CountCall, createCallWindows } from "./call-windows.js";
import { type Credential, type CredentialCarrier, headerValues, readCredential } from "./credential.js";
import { createKeyTable, type FindKey } from "./keys.js";
import { isLocalHostHeader, isLoopbackAddress, networkOf } from "./network.js";
import { PERMISSIONS, type Permission } from "./permissions.js";
import type { AuthPlan } from "./plan/plan.js";
import {
  type AuthResult,
  type CredentialSource,
  type Principal,
  type Refusal,
  type RefusalCode,
  type RefusalParts,
  refuse,
} from "./result.js";
import { type CheckToken, createTokenCheck, type TokenOptions, type TokenResult } from "./token.js";

/** The parts of a request that are known before its body is read. */
export interface AuthRequest extends CredentialCarrier {
  /** The canonical path, without `server.base_path`. */
  readonly path: string;
  /** The address at the other end of the socket. */
  readonly socketAddress: string | undefined;
  /** The address that bad credentials are counted for: the client's behind a trusted proxy, else the socket's. */
  readonly clientAddress?: string | undefined;
  /** The request is for a route of the surrounding application, where paths have another meaning. */
  readonly isOfHost?: boolean;
  /** The path is outside of the base path, so it is no public endpoint. */
  readonly isOutside?: boolean;
  /** It always needs a credential: no bypass counts, since any page of a browser could ask, and no path is public. */
  readonly isOfStudio?: boolean;
}

interface AuthenticatorOptions extends TokenOptions {
  readonly plan: AuthPlan;
  readonly log: Logger;
  readonly clock?: () => number;
  readonly countBad?: CountCall;
}

/** A network may send so many bad credentials in a minute. The map holds so many networks. */
const MOST_BAD = 20;
export const countBadCredentials = (): CountCall => createCallWindows(60_000, 10_000);

const ALL = new Set(PERMISSIONS);
const OPEN: Principal = principal("open", "open", ALL);
const LOCAL: Principal = principal("local", "local", ALL);
export const PUBLIC: Principal = principal("public", "public", new Set());

function principal(kind: Principal["kind"], name: string, permissions: Principal["permissions"]): Principal {
  return { kind, name, userId: null, username: null, permissions, roles: [], graphs: null };
}

type KeyCredential = Pick<Extract<Credential, { kind: "key" | "token" }>, "value" | "source">;
type TokenCredential = Extract<Credential, { kind: "token" }>;

interface BadCredential {
  readonly code: RefusalCode;
  readonly detail: string;
  readonly source: CredentialSource;
}

export type Authenticator = Pick<PlanAuthenticator, "plan" | "authorize" | "identify">;

/** The authenticator of a plan. API keys are checked synchronously, tokens asynchronously. */
export class PlanAuthenticator {
  readonly plan: AuthPlan;
  readonly #log: Logger;
  readonly #clock: () => number;
  readonly #countBad: CountCall;
  readonly #findKey: FindKey;
  readonly #checkToken: CheckToken | null;

  constructor(options: AuthenticatorOptions) {
    const { plan, log, clock = Date.now, countBad = countBadCredentials() } = options;
    this.plan = plan;
    this.#log = log;
    this.#clock = clock;
    this.#countBad = countBad;
    this.#findKey = createKeyTable(plan.keys);
    this.#checkToken = createTokenCheck(plan, options);
  }

  /** Whether a request may use a route that needs these permissions, or `instead` in their place. */
  authorize(
    request: AuthRequest,
    required: readonly Permission[],
    instead?: Permission,
  ): AuthResult | Promise<AuthResult> {
    // A route without permissions is a mistake, not an open route.
    if (required.length === 0) throw new Error("a route must name the permission that it needs");
    const open = this.#withoutCredential(request);
    if (open !== null) return open;
    const opens = request.isOfHost === true ? this.plan.isPublicOfHost : this.plan.isPublic;
    if (request.isOutside !== true && request.isOfStudio !== true && opens(request.path)) {
      this.#log.debug("public endpoint", { path: request.path });
      return { ok: true, principal: PUBLIC };
    }
    const result = this.#authenticate(request);
    return result instanceof Promise
      ? result.then((known) => this.#permit(known, required, instead))
      : this.#permit(result, required, instead);
  }

  /** The holder of the credential, for any path; null without a valid credential. */
  async identify(request: AuthRequest): Promise<Principal | null> {
    const result = this.#withoutCredential(request) ?? (await this.#authenticate(request));
    return result.ok ? result.principal : null;
  }

  /** The result without a credential: authentication is off, or it is bypassed for this machine. */
  #withoutCredential({ path, socketAddress, rawHeaders, isOfStudio }: AuthRequest): AuthResult | null {
    const { mode } = this.plan;
    if (mode === "off") return { ok: true, principal: OPEN };
    if (isOfStudio === true) return null;
    if (mode !== "bypass" || !isLoopbackAddress(socketAddress)) return null;
    const hosts = headerValues(rawHeaders, "host");
    if (hosts.length !== 1 || !isLocalHostHeader(hosts[0])) {
      this.#log.debug("host refused", { path });
      const detail = "Authentication is bypassed for this machine only: ask for localhost or 127.0.0.1.";
      return this.#refuse("host_refused", { detail });
    }
    this.#log.debug("authentication bypassed", { path });
    return { ok: true, principal: LOCAL };
  }

  /** Finds the holder of the credential. Permissions are checked later. */
  #authenticate(request: AuthRequest): AuthResult | Promise<AuthResult> {
    const credential = readCredential(request, this.plan.allowQueryKey);
    const source = credential.kind === "none" ? null : credential.source;
    this.#log.debug("authentication attempt", { path: request.path, source });
    if (credential.kind === "key") return this.#checkKey(credential, request);
    if (credential.kind === "token") return this.#checkBearer(credential, request);
    if (credential.kind === "none")
      return this.#refuse("credential_missing", { detail: "Send an API key in the header X-API-Key." });
    const code = credential.kind === "malformed" ? "credential_malformed" : "credential_ambiguous";
    return this.#refuseBad(request, { ...credential, code });
  }

  #refuse(code: RefusalCode, parts: Omit<RefusalParts, "tokens">): Refusal {
    return refuse(code, { ...parts, tokens: this.#checkToken !== null });
  }

  /** Refuses a credential. After too many bad ones, all requests of the network are refused. */
  #refuseBad(request: AuthRequest, { code, detail, source }: BadCredential): Refusal {
    this.#log.debug("credential refused", { path: request.path, source, code });
    const address = request.clientAddress ?? request.socketAddress;
    const { count, seconds } = this.#countBad(networkOf(address), this.#clock());
    if (count <= MOST_BAD) return this.#refuse(code, { detail, source });
    if (count === MOST_BAD + 1) this.#log.warn("too many bad credentials", { address });
    const limited = "Too many bad credentials came from this address: wait, then send a good one.";
    return this.#refuse("rate_limited", { detail: limited, retryAfter: seconds, limit: MOST_BAD });
  }

  #checkKey({ value, source }: KeyCredential, request: AuthRequest): AuthResult {
    const entry = this.#findKey(value);
    if (entry === null) {
      const detail = "The API key is not known here.";
      return this.#refuseBad(request, { code: "credential_invalid", detail, source });
    }
    const name = visible(entry.name);
    // Written with `!` and `<`, so that NaN counts as expired.
    if (entry.expiresAt !== null && !(this.#clock() < entry.expiresAt)) {
      this.#log.debug("API key expired", { key: name });
      const detail = "The API key has expired: ask for a new one.";
      return this.#refuseBad(request, { code: "credential_expired", detail, source });
    }
    this.#log.debug("API key accepted", { key: name });
    const { userId, permissions, roles, graphs } = entry;
    const who = { userId, username: null, permissions, roles, graphs };
    return { ok: true, principal: { kind: "api_key", name, ...who } };
  }

  #checkBearer({ value, source }: TokenCredential, request: AuthRequest): AuthResult | Promise<AuthResult> {
    const invalid = (detail: string): AuthResult =>
      this.#refuseBad(request, { code: "credential_invalid", detail, source });
    if (this.plan.takesBearerKeys === true) return this.#checkKey({ value, source }, request);
    if (!value.includes("."))
      return invalid("This is no token. If it is an API key, send it in the header X-API-Key.");
    if (this.#checkToken === null)
      return invalid("Tokens are not accepted here: send an API key in X-API-Key.");
    return this.#checkToken(value, this.#clock()).then((result) => this.#tokenResult(result, request));
  }

  #tokenResult(result: TokenResult, request: AuthRequest): AuthResult {
    const source = "Authorization";
    if (result.kind === "accepted") {
      const { by: kind, userId, username, permissions, roles } = result;
      const name = visible(userId);
      this.#log.debug("token accepted", { by: kind, user: name });
      return { ok: true, principal: { kind, name, userId, username, permissions, roles, graphs: null } };
    }
    if (result.kind === "unmapped") {
      this.#log.debug("role has no permissions", { user: visible(result.userId) });
      return this.#refuse("role_unmapped", { detail: "The token's role has no permissions here.", source });
    }
    if (result.kind === "unavailable") {
      this.#log.warn("the keys of the identity service cannot be fetched");
      const detail = "The token cannot be checked now: try again later.";
      return this.#refuse("identity_unavailable", { detail, source, retryAfter: 5 });
    }
    return this.#refuseBad(
      request,
      result.kind === "expired"
        ? { code: "credential_expired", detail: "The token has expired: ask for a new one.", source }
        : { code: "credential_invalid", detail: "The token is not valid here.", source },
    );
  }

  #permit(known: AuthResult, required: readonly Permission[], instead: Permission | undefined): AuthResult {
    if (!known.ok) return known;
    const { name, kind, permissions } = known.principal;
    const isInstead = instead !== undefined && permissions.has(instead);
    const granted = isInstead || required.every((permission) => permissions.has(permission));
    this.#log.debug("permission check", { by: name, required, granted });
    if (granted) return known;
    const detail = `This needs the permission ${required.join(" and ")}.`;
    const source = kind === "api_key" ? "X-API-Key" : "Authorization";
    return this.#refuse("permission_denied", { detail, source, required });
  }
}
