import { createPublicKey } from "node:crypto";
import { type Findings, showPath } from "../../config/findings.js";
import type { Referred } from "../../config/references.js";
import type { AuthenticationSettings } from "../../config/schema-authentication.js";
import type { Secret } from "../../config/secrets.js";
import type { Expand, Permissions } from "../permissions.js";
import type { IdentityPlan, JwtPlan } from "./plan.js";
import { readPermissions } from "./read-keys.js";

const SHORTEST_SECRET = 32;
const HOUR_SECONDS = 3_600;
const HTTPS_HELP =
  "keys that are fetched over http can be replaced on the way; http is for this machine only";

export interface TokenReading {
  readonly findings: Findings;
  readonly expand: Expand;
  readonly unset: readonly Referred[];
}

type JwtSettings = NonNullable<AuthenticationSettings["jwt"]>;
type IdentitySettings = NonNullable<AuthenticationSettings["supabase"]>;
const JWT = ["authentication", "jwt"];
const IDENTITY = ["authentication", "supabase"];

/** Reads the section `jwt`; null when it cannot be used, which has been reported. */
export function readJwt(
  settings: JwtSettings,
  defaultPermissions: Permissions,
  reading: TokenReading,
): JwtPlan | null {
  const material = readMaterial(settings, reading);
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

function readMaterial(settings: JwtSettings, { findings, unset }: TokenReading): JwtPlan["material"] | null {
  const { algorithm, secret, public_key: pem, jwks_url: url } = settings;
  const refuse = (path: readonly string[], message: string, help: string): null => {
    findings.error("config-bad-value", path, { message, help, effect: "stop" });
    return null;
  };
  if (algorithm.startsWith("HS")) {
    const other = pem !== undefined ? "public_key" : url !== undefined ? "jwks_url" : null;
    if (other !== null) {
      const help = "use it with an algorithm such as RS256 or ES256";
      return refuse([...JWT, other], `${algorithm} signs with a secret: ${other} has no meaning`, help);
    }
    if (secret !== undefined)
      return isStrong(secret, [...JWT, "secret"], findings) ? { kind: "secret", secret } : null;
    if (unset.some(({ path }) => showPath(path) === "authentication.jwt.secret")) return null;
    return refuse(
      JWT,
      "authentication.jwt has no secret",
      "write secret: env:NAME, with 32 characters or more",
    );
  }
  if (secret !== undefined) {
    const help = "write public_key or jwks_url instead: what checks such a token is no secret";
    return refuse([...JWT, "secret"], `${algorithm} does not sign with a secret`, help);
  }
  if (pem !== undefined && url !== undefined)
    return refuse([...JWT, "jwks_url"], "public_key and jwks_url exclude each other", "remove one of them");
  if (url !== undefined) {
    if (isSafeUrl(url)) return { kind: "jwks", url };
    return refuse([...JWT, "jwks_url"], "authentication.jwt.jwks_url must begin with https://", HTTPS_HELP);
  }
  if (pem !== undefined) return isPublicKey(pem, findings) ? { kind: "public-key", pem } : null;
  if (unset.some(({ path }) => showPath(path) === "authentication.jwt.public_key")) return null;
  return refuse(JWT, `${algorithm} needs a public_key or a jwks_url`, "the key is text in PEM form");
}

/** Counts characters and bytes: neither a short text nor one of few wide characters is a strong secret. */
function isStrong(secret: Secret, path: readonly string[], findings: Findings): boolean {
  const value = secret.reveal();
  const weak = [...value].length < SHORTEST_SECRET || Buffer.byteLength(value) < SHORTEST_SECRET;
  const key = value.includes("-----BEGIN");
  if (!weak && !key) return true;
  findings.error("config-weak-secret", path, {
    message: weak
      ? `weak JWT secret: ${showPath(path)} must have ${SHORTEST_SECRET} characters or more`
      : `${showPath(path)} is a key in PEM form, and no secret`,
    help: weak
      ? "make one: openssl rand -base64 48"
      : "use it as public_key, with an algorithm such as RS256",
    effect: "stop",
  });
  return false;
}

function isPublicKey(pem: string, findings: Findings): boolean {
  try {
    createPublicKey(pem);
    if (pem.includes("-----BEGIN PUBLIC KEY-----")) return true;
  } catch {}
  findings.error("config-bad-value", [...JWT, "public_key"], {
    message: "authentication.jwt.public_key is no public key",
    help: "it begins with -----BEGIN PUBLIC KEY----- (PEM, SPKI); a private key must not stand here",
    effect: "stop",
  });
  return false;
}

/** Reads the section of the hosted identity service; null when it cannot be used, which has been reported. */
export function readIdentity(settings: IdentitySettings, reading: TokenReading): IdentityPlan | null {
  const { findings, unset } = reading;
  const { url, jwt_secret: secret = null, anon_key: anonKey = null, metadata_mapping: fields } = settings;
  const roles = readRoles(settings.role_mapping, reading);
  if (secret !== null && !isStrong(secret, [...IDENTITY, "jwt_secret"], findings)) return null;
  if (unset.some(({ path }) => showPath(path) === "authentication.supabase.jwt_secret")) return null;
  if (!isSafeUrl(url)) {
    findings.error("config-bad-value", [...IDENTITY, "url"], {
      message: "authentication.supabase.url must begin with https://",
      help: HTTPS_HELP,
      effect: "stop",
    });
    return null;
  }
  if (fields.role.split(".")[0] === "user_metadata") {
    findings.error("config-bad-value", [...IDENTITY, "metadata_mapping", "role"], {
      message: "the role cannot be taken from user_metadata: users write that themselves",
      help: "take it from role, or from app_metadata.role",
      effect: "stop",
    });
    return null;
  }
  return {
    url: url.replace(/\/+$/, ""),
    secret,
    anonKey,
    roles,
    fields: { userId: fields.user_id, username: fields.username, role: fields.role },
  };
}

/** A Map: a role named `constructor` is a role like others, and unknown. */
function readRoles(
  mapping: IdentitySettings["role_mapping"],
  { findings, expand }: TokenReading,
): ReadonlyMap<string, Permissions> {
  const roles = new Map<string, Permissions>();
  for (const [role, permissions] of Object.entries(mapping)) {
    const read = readPermissions(permissions, [...IDENTITY, "role_mapping", role], findings);
    if (read !== null) roles.set(role, expand(read));
  }
  return roles;
}

/** Whether keys may be fetched from an address: by https, or from this machine. */
function isSafeUrl(url: string): boolean {
  try {
    const { protocol, hostname, username, password } = new URL(url);
    if (username !== "" || password !== "") return false;
    return protocol === "https:" || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  } catch {
    return false;
  }
}
