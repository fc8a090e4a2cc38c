import type { CryptoKey, JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from "jose";
import type { Secret } from "../config/secret.js";
import { lazily } from "../lazy.js";
import { isPermission, type Permission, type Permissions } from "./permissions.js";
import type { AuthPlan, IdentityPlan, JwtPlan } from "./plan/plan.js";
import { createRemoteKeys, KeysUnavailableError, type RemoteKeys } from "./remote-keys.js";

/** The holder of a token, or the reason of a refusal. */
export type TokenResult =
  | {
      readonly kind: "accepted";
      readonly by: "jwt" | "identity";
      readonly userId: string;
      readonly username: string | null;
      readonly permissions: Permissions;
      readonly roles: readonly string[];
    }
  | { readonly kind: "invalid" | "expired" | "unavailable" }
  | { readonly kind: "unmapped"; readonly userId: string };

/** Checks a token. It never throws because of the token. */
export type CheckToken = (token: string, now: number) => Promise<TokenResult>;

export type TokenOptions = Pick<RemoteKeys, "fetch" | "jwksTimeoutMs">;

type Claims = JWTPayload;
type Key = Uint8Array | CryptoKey | JWTVerifyGetKey;

/** Makes the check of tokens; null when the plan accepts none. The package is loaded with the first token. */
export function createTokenCheck(plan: AuthPlan, options: TokenOptions = {}): CheckToken | null {
  const { jwt, identity, expand } = plan;
  if (jwt === null && identity === null) return null;
  const own = jwt === null ? null : createOwn(jwt, expand, options);
  const hosted = identity === null ? null : createHosted(identity, options);
  return async (token, now) => {
    if (token.split(".").length !== 3) return { kind: "invalid" };
    const { decodeJwt } = await import("jose");
    try {
      // The issuer only selects the check. Each check then verifies the token with its own key.
      const issuer = hosted === null || own === null ? null : decodeJwt(token).iss;
      const check = own === null || (hosted !== null && isHosted(issuer, identity)) ? hosted : own;
      return check === null ? { kind: "invalid" } : await check(token, now);
    } catch (error) {
      return { kind: kindOfFailure(error) };
    }
  };
}

const isHosted = (issuer: unknown, identity: IdentityPlan | null): boolean =>
  identity !== null && typeof issuer === "string" && issuersOf(identity).includes(issuer);

/** The issuers of users' tokens, and of the keys of a project. */
const issuersOf = ({ url }: IdentityPlan): string[] => [`${url}/auth/v1`, LEGACY_ISSUER];
const LEGACY_ISSUER = "supabase";

function kindOfFailure(error: unknown): "invalid" | "expired" | "unavailable" {
  if (error instanceof KeysUnavailableError) return "unavailable";
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ERR_JWT_EXPIRED") return "expired";
  return code === "ERR_JWKS_TIMEOUT" || code === "ERR_JWKS_INVALID" ? "unavailable" : "invalid";
}

/** Clocks differ, so `iat` may be a little ahead. The end of a token has no tolerance. */
const TOLERANCE_S = 5;

async function verify(
  token: string,
  key: Key,
  { now, ...given }: JWTVerifyOptions & { readonly now: number },
): Promise<Claims> {
  const { jwtVerify, errors } = await import("jose");
  const options = { ...given, currentDate: new Date(now), clockTolerance: TOLERANCE_S };
  const { payload } = await (typeof key === "function"
    ? jwtVerify(token, key, options)
    : jwtVerify(token, key, options));
  if (payload.exp !== undefined && payload.exp <= Math.floor(now / 1_000))
    throw new errors.JWTExpired("it has ended", payload, "exp", "check_failed");
  return payload;
}

function createOwn(plan: JwtPlan, expand: AuthPlan["expand"], options: TokenOptions): CheckToken {
  const key = lazily(() => keyOf(plan, options));
  return async (token, now) => {
    const claims = await verify(token, await key(), {
      algorithms: [plan.algorithm],
      requiredClaims: ["exp", "sub"],
      // This option also requires `iat`, and refuses one in the future.
      maxTokenAge: plan.maxAgeSeconds,
      now,
      ...(plan.issuer === null ? {} : { issuer: plan.issuer }),
      ...(plan.audience === null ? {} : { audience: plan.audience }),
    });
    const userId = userOf(claims, "sub");
    if (userId === null) return { kind: "invalid" };
    const given = permissionsIn(claims);
    const permissions = given.length === 0 ? plan.defaultPermissions : expand(given);
    return { kind: "accepted", by: "jwt", userId, username: null, permissions, roles: rolesIn(claims) };
  };
}

async function keyOf({ material, algorithm }: JwtPlan, { fetch, jwksTimeoutMs }: TokenOptions): Promise<Key> {
  if (material.kind === "secret") return encoded(material.secret);
  if (material.kind === "jwks") return createRemoteKeys({ url: material.url, fetch, jwksTimeoutMs });
  const { importSPKI } = await import("jose");
  return importSPKI(material.pem, algorithm);
}

const encoded = (secret: Secret): Uint8Array => new TextEncoder().encode(secret.reveal());

/** Ids that no user of a token can have: those of the command line, and what names a role. */
const RESERVED = /^(?:os|role):/;

function userOf(claims: Claims, field: string): string | null {
  const userId = fieldOf(claims, field);
  return userId === null || RESERVED.test(userId) ? null : userId;
}

/** The roles of a token of one's own: its list `roles`, or its one `role`. */
function rolesIn(claims: Claims): readonly string[] {
  const listed: unknown = Object.hasOwn(claims, "roles") ? claims["roles"] : [fieldOf(claims, "role")];
  return Array.isArray(listed) ? listed.filter(isRole) : [];
}

const isRole = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= LONGEST_TEXT;

/** The permissions of a token: its list `permissions`, or the words of its `scope`. */
function permissionsIn(claims: Claims): readonly Permission[] {
  if (Object.hasOwn(claims, "permissions")) {
    const listed = claims["permissions"];
    return Array.isArray(listed) ? listed.filter(isPermission) : [];
  }
  const scope = Object.hasOwn(claims, "scope") ? claims["scope"] : null;
  return typeof scope === "string" ? scope.split(" ").filter(isPermission) : [];
}

function createHosted(plan: IdentityPlan, { fetch, jwksTimeoutMs }: TokenOptions): CheckToken {
  const { secret, anonKey } = plan;
  const headers: Record<string, string> = anonKey === null ? {} : { apikey: anonKey.reveal() };
  const url = `${plan.url}/auth/v1/.well-known/jwks.json`;
  const key = lazily<Key>(async () =>
    secret !== null ? encoded(secret) : createRemoteKeys({ url, headers, fetch, jwksTimeoutMs }),
  );
  return async (token, now) => {
    const claims = await verify(token, await key(), {
      algorithms: secret === null ? ["ES256", "RS256"] : ["HS256"],
      requiredClaims: ["exp", "iss"],
      issuer: issuersOf(plan),
      now,
    });
    const legacy = claims.iss === LEGACY_ISSUER;
    const age = Math.floor(now / 1_000) - Number(claims.iat ?? Number.NaN);
    const isUser = isForUsers(claims) && fieldOf(claims, "sub") !== null && age <= LONGEST_SESSION_S;
    const fits = legacy ? isKeyOf(claims, plan) : isUser;
    return fits && age >= -TOLERANCE_S ? resultOf(claims, plan, legacy) : { kind: "invalid" };
  };
}

/** The service has no longer session, whatever the token says. */
const LONGEST_SESSION_S = 7 * 24 * 3_600;

/** The two keys of a project. They are valid for years and name the project. */
function isKeyOf({ role, ref }: Claims, { url }: IdentityPlan): boolean {
  const [project, ...domain] = new URL(url).hostname.split(".");
  const isNamed = ref === undefined || domain.join(".") !== "supabase.co" || ref === project;
  return (role === "anon" || role === "service_role") && isNamed;
}

/** The audience of the service's tokens for users. */
function isForUsers({ aud }: Claims): boolean {
  return aud === "authenticated" || (Array.isArray(aud) && aud.includes("authenticated"));
}

function resultOf(claims: Claims, plan: IdentityPlan, legacy: boolean): TokenResult {
  // The keys of a project have no user, so only their claim `role` counts.
  const role = fieldOf(claims, legacy ? "role" : plan.fields.role);
  const userId = userOf(claims, plan.fields.user_id) ?? (legacy ? role : null);
  if (userId === null) return { kind: "invalid" };
  const permissions = role === null ? undefined : plan.roles.get(role);
  if (permissions === undefined) return { kind: "unmapped", userId };
  const username = fieldOf(claims, plan.fields.username);
  const roles = role === null ? [] : [role];
  return { kind: "accepted", by: "identity", userId, username, permissions, roles };
}

/** A field of a user in a token: `id` is the claim `sub`; dots lead into objects. */
function fieldOf(claims: Claims, field: string): string | null {
  const steps = field === "id" ? ["sub"] : field.split(".");
  let at: unknown = claims;
  for (const step of steps) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return null;
    at = (at as { readonly [name: string]: unknown })[step];
  }
  return typeof at === "string" && at !== "" && at.length <= LONGEST_TEXT ? at : null;
}

/** Longer texts are no names, and would fill the log. */
const LONGEST_TEXT = 256;
