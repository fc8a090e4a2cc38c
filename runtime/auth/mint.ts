import type { Permission } from "./permissions.js";
import type { IdentityPlan, JwtPlan } from "./plan/plan.js";

/** Whom a token stands for, and how long. */
export interface TokenWish {
  readonly userId: string;
  readonly permissions: readonly Permission[];
  readonly role: string | null;
  readonly seconds: number;
  /** In milliseconds. */
  readonly now: number;
}

/** Signs a token that the section `jwt` accepts; null when it is checked with a public key: nobody here can sign. */
export async function mintOwnToken(plan: JwtPlan, wish: TokenWish): Promise<string | null> {
  if (plan.material.kind !== "secret") return null;
  const claims = {
    sub: wish.userId,
    ...(wish.permissions.length === 0 ? {} : { permissions: wish.permissions }),
    ...(plan.issuer === null ? {} : { iss: plan.issuer }),
    ...(plan.audience === null ? {} : { aud: plan.audience }),
  };
  return sign(claims, plan.material.secret.reveal(), { algorithm: plan.algorithm, ...wish });
}

/** Signs a token as the hosted identity service would; null when the service's keys are not here. */
export async function mintIdentityToken(plan: IdentityPlan, wish: TokenWish): Promise<string | null> {
  if (plan.secret === null) return null;
  const claims = {
    sub: wish.userId,
    role: wish.role ?? "authenticated",
    iss: `${plan.url}/auth/v1`,
    aud: "authenticated",
  };
  return sign(claims, plan.secret.reveal(), { algorithm: "HS256", ...wish });
}

interface Signing {
  readonly algorithm: string;
  readonly seconds: number;
  readonly now: number;
}

async function sign(
  claims: { readonly [name: string]: unknown },
  secret: string,
  { algorithm, seconds, now }: Signing,
): Promise<string> {
  const { SignJWT } = await import("jose");
  const issued = Math.floor(now / 1_000);
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: algorithm, typ: "JWT" })
    .setIssuedAt(issued)
    .setExpirationTime(issued + seconds)
    .sign(new TextEncoder().encode(secret));
}
