import type { JWTPayload } from "jose";
import type { Secret } from "../config/secret.js";
import type { Permission } from "./permissions.js";
import type { IdentityPlan, JwtPlan } from "./plan/plan.js";

/** The holder and the lifetime of a token. */
export interface TokenWish {
  readonly userId: string;
  readonly permissions: readonly Permission[];
  readonly role: string | null;
  readonly seconds: number;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/**
 * Signs a token that the section `jwt` accepts. Null when tokens are checked with a public key, since signing needs
 * the private one.
 */
export async function mintOwnToken(
  { material, algorithm, issuer, audience }: JwtPlan,
  wish: TokenWish,
): Promise<string | null> {
  if (material.kind !== "secret") return null;
  const { userId: sub, permissions } = wish;
  const claims = {
    sub,
    ...(permissions.length === 0 ? {} : { permissions }),
    ...(issuer === null ? {} : { iss: issuer }),
    ...(audience === null ? {} : { aud: audience }),
  };
  return sign(claims, material.secret, { algorithm, ...wish });
}

/** Signs a token as the identity service does; null without the service's secret. */
export async function mintIdentityToken(
  { url, secret }: IdentityPlan,
  wish: TokenWish,
): Promise<string | null> {
  const { userId: sub, role } = wish;
  const claims = { sub, role: role ?? "authenticated", iss: `${url}/auth/v1`, aud: "authenticated" };
  return secret === null ? null : sign(claims, secret, { algorithm: "HS256", ...wish });
}

async function sign(
  claims: JWTPayload,
  secret: Secret,
  { algorithm, seconds, now }: Pick<TokenWish, "seconds" | "now"> & { readonly algorithm: string },
): Promise<string> {
  const { SignJWT } = await import("jose");
  const issued = Math.floor(now / 1_000);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, typ: "JWT" })
    .setIssuedAt(issued)
    .setExpirationTime(issued + seconds)
    .sign(new TextEncoder().encode(secret.reveal()));
}
