import { createPublicKey } from "node:crypto";
import { type ConfigCode, type Findings, showPath } from "../../config/findings.js";
import { isAmong } from "../../config/references.js";
import type { AuthenticationSettings } from "../../config/schema.js";
import type { Secret } from "../../config/secret.js";
import type { Expand, Permissions } from "../permissions.js";
import type { IdentityPlan, JwtPlan, PlanSource } from "./plan.js";
import { readPermissions } from "./read-keys.js";

const SHORTEST_SECRET = 32;
const HOUR_SECONDS = 3_600;
const HTTPS_HELP =
  "keys that are fetched over http can be replaced on the way; http is for this machine only";

type JwtSettings = NonNullable<AuthenticationSettings["jwt"]>;
type IdentitySettings = NonNullable<AuthenticationSettings["supabase"]>;
const JWT = ["authentication", "jwt"];
const IDENTITY = ["authentication", "supabase"];

/** Reports an error that keeps the server from starting. */
function stop(
  findings: Findings,
  path: readonly string[],
  [message, help, code = "config-bad-value"]: readonly [message: string, help: string, code?: ConfigCode],
): null {
  findings.error(code, path, { message, help, effect: "stop" });
  return null;
}

export function readJwt(
  settings: JwtSettings,
  defaultPermissions: Permissions,
  source: PlanSource,
): JwtPlan | null {
  const material = readMaterial(settings, source);
  if (material === null) return null;
  return {
    algorithm: settings.algorithm,
    material,
    issuer: settings.issuer ?? null,
    audience: settings.audience ?? null,
    maxAgeSeconds: settings.expiry_hours * HOUR_SECONDS,
    defaultPermissions,
  };
}

function readMaterial(settings: JwtSettings, { findings, unset }: PlanSource): JwtPlan["material"] | null {
  const { algorithm, secret, public_key: pem, jwks_url: url } = settings;
  const refuse = (path: readonly string[], message: string, help: string): null =>
    stop(findings, [...JWT, ...path], [message, help]);
  if (algorithm.startsWith("HS")) {
    const other = pem !== undefined ? "public_key" : url !== undefined ? "jwks_url" : null;
    if (other !== null) {
      const help = "use it with an algorithm such as RS256 or ES256";
      return refuse([other], `${algorithm} signs with a secret: ${other} has no meaning`, help);
    }
    if (secret !== undefined)
      return isStrong(secret, [...JWT, "secret"], findings) ? { kind: "secret", secret } : null;
    if (isAmong(unset, [...JWT, "secret"])) return null;
    return refuse(
      [],
      "authentication.jwt has no secret",
      "write secret: env:NAME, with 32 characters or more",
    );
  }
  if (secret !== undefined) {
    const help = "write public_key or jwks_url instead: what checks such a token is no secret";
    return refuse(["secret"], `${algorithm} does not sign with a secret`, help);
  }
  if (pem !== undefined && url !== undefined)
    return refuse(["jwks_url"], "public_key and jwks_url exclude each other", "remove one of them");
  if (url !== undefined) {
    if (isSafeUrl(url)) return { kind: "jwks", url };
    return refuse(["jwks_url"], "authentication.jwt.jwks_url must begin with https://", HTTPS_HELP);
  }
  if (pem !== undefined && isPublicKey(pem)) return { kind: "public-key", pem };
  if (pem !== undefined) {
    const help = "it begins with -----BEGIN PUBLIC KEY----- (PEM, SPKI); a private key must not stand here";
    return refuse(["public_key"], "authentication.jwt.public_key is no public key", help);
  }
  if (isAmong(unset, [...JWT, "public_key"])) return null;
  return refuse([], `${algorithm} needs a public_key or a jwks_url`, "the key is text in PEM form");
}

/** Both characters and bytes must suffice: a short text of wide characters is not strong. */
function isStrong(secret: Secret, path: readonly string[], findings: Findings): boolean {
  const value = secret.reveal();
  if ([...value].length < SHORTEST_SECRET || Buffer.byteLength(value) < SHORTEST_SECRET) {
    const message = `weak JWT secret: ${showPath(path)} must have ${SHORTEST_SECRET} characters or more`;
    stop(findings, path, [message, "make one: openssl rand -base64 48", "config-weak-secret"]);
    return false;
  }
  if (!value.includes("-----BEGIN")) return true;
  const help = "use it as public_key, with an algorithm such as RS256";
  stop(findings, path, [`${showPath(path)} is a key in PEM form, and no secret`, help, "config-weak-secret"]);
  return false;
}

function isPublicKey(pem: string): boolean {
  try {
    createPublicKey(pem);
    return pem.includes("-----BEGIN PUBLIC KEY-----");
  } catch {
    return false;
  }
}

export function readIdentity(
  settings: IdentitySettings,
  expand: Expand,
  { findings, unset }: PlanSource,
): IdentityPlan | null {
  const { url, jwt_secret: secret = null, anon_key: anonKey = null, metadata_mapping: fields } = settings;
  const roles = readRoles(settings.role_mapping, expand, findings);
  if (secret !== null && !isStrong(secret, [...IDENTITY, "jwt_secret"], findings)) return null;
  if (isAmong(unset, [...IDENTITY, "jwt_secret"])) return null;
  if (!isSafeUrl(url)) {
    const message = "authentication.supabase.url must begin with https://";
    return stop(findings, [...IDENTITY, "url"], [message, HTTPS_HELP]);
  }
  if (fields.role.split(".")[0] === "user_metadata") {
    const message = "the role cannot be taken from user_metadata: users write that themselves";
    const help = "take it from role, or from app_metadata.role";
    return stop(findings, [...IDENTITY, "metadata_mapping", "role"], [message, help]);
  }
  return {
    url: url.replace(/\/+$/, ""),
    secret,
    anonKey,
    roles,
    fields,
  };
}

/** A Map, so that a role named `constructor` is unknown like others. */
function readRoles(
  mapping: IdentitySettings["role_mapping"],
  expand: Expand,
  findings: Findings,
): ReadonlyMap<string, Permissions> {
  const roles = new Map<string, Permissions>();
  for (const [role, permissions] of Object.entries(mapping)) {
    const read = readPermissions(permissions, [...IDENTITY, "role_mapping", role], findings);
    if (read !== null) roles.set(role, expand(read));
  }
  return roles;
}

/** True for https addresses and addresses of this machine. */
function isSafeUrl(url: string): boolean {
  try {
    const { protocol, hostname, username, password } = new URL(url);
    if (username !== "" || password !== "") return false;
    return protocol === "https:" || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  } catch {
    return false;
  }
}
